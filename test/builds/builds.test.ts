/**
 * Nothing that validates may fail to build, or to compile, and what it gives to others compiles where only that is installed.
 * 500 manifests: `MANIFESTS=500 npm test -- builds`.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, expect, it } from 'vitest'
import { check } from '../../src/compiler/check.js'
import { emit } from '../../src/compiler/emit.js'
import { clientPackageOf } from '../../src/protocol/client-names.js'
import { COMPILERS, compile, folderWithPackages, remove } from '../types/project.js'
import { randomOf } from '../values/random.js'
import { callerOf, writePackages } from './packages.js'
import { randomManifest } from './random-manifest.js'

const COUNT = Number(process.env['MANIFESTS'] ?? 20)
const SEED = Number(process.env['SEED'] ?? 19)
const EACH = 50

/** Where the services are built, beside svc-kit. */
const folder = folderWithPackages()
/** Where their clients are installed, beside nothing. */
const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'svc-callers-')))
mkdirSync(join(elsewhere, 'node_modules/@types'), { recursive: true })
for (const name of ['@types/node', 'undici-types'])
  symlinkSync(resolve('node_modules', name), join(elsewhere, 'node_modules', name), 'junction')
for (const each of [folder, elsewhere]) writeFileSync(join(each, 'package.json'), '{"type": "module"}')
afterAll(() => [folder, elsewhere].forEach(remove))

/** What a manifest says, and what became of it. */
interface Built {
  readonly seed: number
  readonly client: string
  readonly trouble?: string
}

/** The service of a seed, written below a folder of its own; undefined if its manifest does not validate. */
async function built(seed: number): Promise<Built | undefined> {
  const text = JSON.stringify(randomManifest(randomOf(seed), seed), null, 1)
  const { manifest } = check([{ file: 'svc.json', text }])
  if (manifest === undefined) return undefined
  const client = clientPackageOf(manifest.service_identity.id)
  try {
    const { files, problems } = emit(manifest, { generator: 'svc' })
    if (problems.length > 0) return { seed, client, trouble: problems.map(({ message }) => message).join(' ') }
    await writePackages(join(folder, `m${seed}`), manifest, files)
    writeFileSync(join(elsewhere, `m${seed}.ts`), callerOf(manifest))
    return { seed, client }
  } catch (error) {
    return { seed, client, trouble: String(error) }
  }
}

/** Packs the clients, and installs the packages elsewhere. */
async function install(services: readonly Built[]): Promise<readonly string[]> {
  const packages = services.map(({ seed }) => `./m${seed}/dist/client`)
  const packed = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', ...packages], { cwd: folder, encoding: 'utf8' }) // prettier-ignore
  const said = packed.trim().split('\n').map(async (file, index) => {
    const to = join(elsewhere, 'node_modules', services[index]!.client)
    mkdirSync(to)
    execFileSync('tar', ['-xzf', join(folder, file), '-C', to, '--strip-components=1'])
    const { messages, pkg } = await publint({ pkgDir: to, strict: true, pack: false })
    return messages.map((message) => `${services[index]!.client}: ${formatMessage(message, pkg, { color: false })}`)
  }) // prettier-ignore
  return (await Promise.all(said)).flat()
}

/** Every file of Python, read by Python itself. */
const READS_PYTHON = `
import ast, pathlib
for file in pathlib.Path('.').rglob('*.py'):
    try: ast.parse(file.read_text(encoding='utf-8'))
    except SyntaxError as error: print(file, error)
`

async function troublesOf(services: readonly Built[]): Promise<readonly string[]> {
  const said = services.flatMap(({ seed, trouble }) => (trouble === undefined ? [] : [`m${seed}: ${trouble}`]))
  const installed = await install(services.filter(({ trouble }) => trouble === undefined))
  const complaints = COMPILERS.flatMap((compiler) => [
    ...(compiler === 'typescript' ? compile(folder, compiler, 'NodeNext', ['m*/generated/**/*.ts']) : []),
    ...compile(elsewhere, compiler, 'NodeNext', ['*.ts']).map((each) => ({ ...each, message: `${compiler}: ${each.message}` })), // prettier-ignore
  ])
  const python = spawnSync('python3', ['-c', READS_PYTHON], { cwd: folder, encoding: 'utf8' })
  return [
    ...said,
    ...installed,
    ...complaints.map(({ file, line, code, message }) => `${file}:${line} ${code} ${message}`),
    ...(python.stdout ?? '').split('\n').filter(Boolean),
  ]
}

function clear(services: readonly Built[]): void {
  for (const name of readdirSync(folder)) if (name.endsWith('.tgz')) rmSync(join(folder, name))
  for (const { seed, client } of services) {
    rmSync(join(folder, `m${seed}`), { recursive: true, force: true })
    rmSync(join(elsewhere, 'node_modules', client), { recursive: true, force: true })
    rmSync(join(elsewhere, `m${seed}.ts`), { force: true })
  }
}

it('builds and compiles whatever validates, and its client where that alone is installed', async () => {
  let [seed, valid] = [SEED * 1_000_000, 0]
  const troubles: string[] = []
  while (valid < COUNT && troubles.length < 10) {
    const services: Built[] = []
    while (services.length < Math.min(EACH, COUNT - valid)) {
      const service = await built(seed++)
      if (service !== undefined) services.push(service)
    }
    valid += services.length
    troubles.push(...(await troublesOf(services)))
    if (process.env['KEEP'] === undefined) clear(services)
    if (COUNT > EACH) console.log(`${valid} valid of ${seed - SEED * 1_000_000}, ${troubles.length} troubles`)
  }
  expect(troubles).toEqual([])
  // Most must be valid, or nothing was shown.
  expect(valid / (seed - SEED * 1_000_000)).toBeGreaterThan(0.2)
}, 7_200_000)
