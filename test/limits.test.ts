import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { limitInMinutes } from './takes-hours.js'

afterEach(() => vi.unstubAllEnvs())

it('a run whose tests wait for ever ends, and names the limit', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-limit-'))
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  const config = {
    test: { include: ['*.test.js'], globalSetup: [resolve('test/limit-of-a-run.ts')], testTimeout: 1e9 },
  }
  writeFileSync(join(folder, 'vitest.config.js'), `export default ${JSON.stringify(config)}`)
  writeFileSync(join(folder, 'a.test.js'), `import { it } from 'vitest'\nit('waits', () => { for (;;); })`)
  const env = { ...process.env, TEST_LIMIT_MINUTES: '0.1' }
  const run = spawn(process.execPath, [resolve('node_modules/vitest/vitest.mjs'), 'run'], { cwd: folder, env })
  let said = ''
  run.stderr.on('data', (chunk) => (said += String(chunk)))
  run.stdout.on('data', () => undefined)
  const [code] = (await once(run, 'exit')) as [number]
  expect(code).toBe(1)
  expect(said).toContain('The tests have run for 0.1 minutes: something waits for ever.')
  rmSync(folder, { recursive: true })
})

it.each([
  [{}, 8],
  [{ SCHEMAS: '10000' }, 360],
  [{ MANIFESTS: '10000' }, 360],
  [{ EVENTS: '10000' }, 360],
  [{ KILLS: '20' }, 8],
  [{ MANIFESTS: '10000', TEST_FILE_LIMIT_MINUTES: '5' }, 5],
])('a file of tests has with %j a limit of %i minutes: thousands that are asked for are no hang', (env, minutes) => {
  for (const name of ['SCHEMAS', 'MANIFESTS', 'EVENTS', 'KILLS', 'TEST_FILE_LIMIT_MINUTES']) vi.stubEnv(name, undefined)
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  expect(limitInMinutes('TEST_FILE_LIMIT_MINUTES', 8)).toBe(minutes)
})

it('a process that a test waits for has a limit, also where the test names none', () => {
  const { error } = spawnSync(process.execPath, ['-e', 'setTimeout(() => undefined, 60_000)'], { timeout: 200 })
  expect(error).toMatchObject({ code: 'ETIMEDOUT' })
  expect(String(spawnSync)).toContain('MOST_MS')
})

it('every configuration of tests has both limits, and every tool that waits for a process has its own', () => {
  const configurations = ['vitest.config.ts', 'test/races/vitest.config.ts', 'test/runtimes/vitest.config.ts', 'test/surfaces/vitest.config.ts', 'test/mutation/vitest.config.ts'] // prettier-ignore
  for (const file of configurations) {
    const text = readFileSync(file, 'utf8')
    expect(file + text).toMatch(/limit-of-a-run\.ts/u)
    expect(file + text).toMatch(/limits-of-processes\.ts/u)
  }
  const tools = ['.ci', 'examples', 'bench', 'test'].flatMap((room) =>
    readdirSync(room, { recursive: true, encoding: 'utf8' }).map((name) => join(room, name)),
  )
  const waiting = tools
    .filter((file) => /\.(?:js|mjs|cjs)$/u.test(file) && !/node_modules|\/dist\/|\/generated\//u.test(file))
    .filter((file) => {
      const text = readFileSync(file, 'utf8')
      const calls = text.match(/(?:spawnSync|execFileSync|execSync)\(/gu)?.length ?? 0
      return calls > (text.match(/timeout:|timeout,/gu)?.length ?? 0)
    })
  expect(waiting).toEqual([])
})
