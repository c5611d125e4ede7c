/**
 * `svc build` against generators that users know, on descriptions of the same operations: ours as a manifest, theirs as the OpenAPI
 * document that we emit from it. Whole processes, cold; CPU time and memory. The bundle of our server is reported beside it.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { manifestOf } from './manifest.js'

const root = resolve(import.meta.dirname, '../..')
const tools = resolve(import.meta.dirname, '../node_modules')
const svc = join(root, 'bin/svc.cjs')
const ROUNDS = Number(process.env.ROUNDS ?? 3)
const SIZES = (process.env.SIZES ?? '10,100,1000').split(',').map(Number)

if (!existsSync(tools)) {
  console.error('The generators to compare with are not installed. Run: npm ci --prefix bench --ignore-scripts')
  process.exit(2)
}

/** CPU seconds and the largest resident set in MB of one process. */
function measure(command, cwd) {
  const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...env } = process.env
  const probe = join(import.meta.dirname, 'usage.js')
  const run = spawnSync(process.execPath, [probe, ...command], {
    cwd,
    timeout: 300_000,
    env: { ...env, CI: '1', NO_COLOR: '1' },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  const line = run.stdout.trim().split('\n').at(-1)
  const usage = JSON.parse(line)
  if (usage.status !== 0) throw new Error(`${command.join(' ')} exited ${usage.status}:\n${run.stdout}${run.stderr}`)
  return usage
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]
const bin = (name, file) => [process.execPath, join(tools, name, file)]

function project(folder, size) {
  mkdirSync(join(folder, 'project'), { recursive: true })
  writeFileSync(join(folder, 'project/svc.yaml'), manifestOf(size))
}

for (const size of SIZES) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-build-'))
  project(folder, size)
  const whole = [process.execPath, svc, 'build', 'project']
  const ours = [...whole, '--no-bundle']
  measure(ours, folder)
  const commands = {
    'svc build': {
      command: ours,
      before: () =>
        ['generated', 'dist', 'src', 'svc.lock.json'].forEach((path) =>
          rmSync(join(folder, 'project', path), { recursive: true, force: true }),
        ),
    },
    'svc build, with bundles': { command: whole },
    'svc build, unchanged': { command: whole },
    'openapi-typescript': { command: [...bin('openapi-typescript', 'bin/cli.js'), 'openapi.json', '-o', 'types.d.ts'] },
    '@hey-api/openapi-ts': {
      command: [...bin('@hey-api/openapi-ts', 'bin/run.js'), '-i', 'openapi.json', '-o', 'hey'],
    },
    orval: {
      command: [...bin('orval', 'dist/bin/orval.js'), '--input', 'openapi.json', '--output', 'orval/client.ts'],
    },
  }
  copyFileSync(join(folder, 'project/dist/openapi.json'), join(folder, 'openapi.json'))
  const runs = Object.fromEntries(Object.keys(commands).map((name) => [name, []]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, { command, before }] of Object.entries(commands)) {
      before?.()
      runs[name].push(measure(command, folder))
    }
  }
  const base = median(runs['svc build'].map(({ cpu }) => cpu))
  console.log(`\n${size} operations, CPU seconds of whole processes, median of ${ROUNDS}`)
  console.table(
    Object.entries(runs).map(([name, usages]) => {
      const cpu = median(usages.map((usage) => usage.cpu))
      return {
        name,
        'CPU s': Number(cpu.toFixed(2)),
        MB: Math.round(median(usages.map(({ rss }) => rss))),
        'times svc build': Number((cpu / base).toFixed(2)),
      }
    }),
  )
  rmSync(folder, { recursive: true, force: true })
}
