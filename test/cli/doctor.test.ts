import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  appendFileSync,
} from 'node:fs'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** One project, made by `svc init` and built, whose parts are broken and repaired one after the other. */
let folder: string
const SVC = join(process.cwd(), 'bin/svc.cjs')
const svc = (...args: readonly string[]) =>
  spawnSync(process.execPath, [SVC, ...args], { cwd: folder, encoding: 'utf8', env: { PATH: process.env['PATH'] } })

beforeAll(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'svc-doctor-')), 'shop')
  const made = spawnSync(process.execPath, [SVC, 'init', folder, '--yes'], { encoding: 'utf8' })
  expect(made.status, made.stderr).toBe(0)
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(process.cwd(), join(folder, 'node_modules/svc-kit'))
  const built = svc('build')
  expect(built.status, built.stdout + built.stderr).toBe(0)
}, 120_000)
afterAll(() => rmSync(join(folder, '..'), { recursive: true }))

const lines = (): readonly string[] =>
  svc('doctor')
    .stdout.split('\n')
    .map((line) => line.trimEnd())
const stateOf = (name: string): string | undefined =>
  lines()
    .find((line) => line.includes(`  ${name}  `))
    ?.split(' ')[0]

const oneKey = (): string =>
  join(
    folder,
    'keys',
    readdirSync(join(folder, 'keys')).find((name) => name.endsWith('.json'))!,
  )

describe('svc doctor', () => {
  it('finds nothing wrong with a project that was just made and built', () => {
    const { status, stdout } = svc('doctor')
    expect(stdout).toMatch(/Nothing stands in the way\.\n$/u)
    expect(stdout).not.toContain('error')
    expect(status).toBe(0)
  })

  it.each([
    [
      'packages',
      () => rmSync(join(folder, 'node_modules/svc-kit')),
      () => symlinkSync(process.cwd(), join(folder, 'node_modules/svc-kit')),
      'Run: npm install',
    ],
    ['signing keys', () => chmodSync(oneKey(), 0o644), () => chmodSync(oneKey(), 0o600), 'chmod 600'],
    [
      'API keys',
      () => chmodSync(join(folder, 'api-keys.json'), 0o644),
      () => chmodSync(join(folder, 'api-keys.json'), 0o600),
      'chmod 600',
    ],
    ['.env', () => chmodSync(join(folder, '.env'), 0o644), () => chmodSync(join(folder, '.env'), 0o600), 'chmod 600'],
  ] as const)('finds what is wrong with %s, and says what to do', (name, breakIt, repair, remedy) => {
    breakIt()
    try {
      const { status, stdout } = svc('doctor')
      expect(stateOf(name)).toBe('error')
      expect(stdout).toContain(remedy)
      expect(status).toBe(1)
    } finally {
      repair()
    }
  })

  it('says when the manifest has errors, and when it was changed since the build', () => {
    const before = join(folder, '..', 'svc.yaml')
    cpSync(join(folder, 'svc.yaml'), before)
    appendFileSync(join(folder, 'svc.yaml'), '\n# changed\n')
    expect(stateOf('build')).toBe('warning')
    writeFileSync(join(folder, 'svc.yaml'), 'capabilities: 1\n')
    expect(stateOf('manifest')).toBe('error')
    cpSync(before, join(folder, 'svc.yaml'))
  })

  it('names what was changed since the build, as npm start and svc build --check do', () => {
    const handler = join(folder, 'src/handlers/get_status.ts')
    const before = readFileSync(handler, 'utf8')
    expect(svc('build', '--before-start')).toMatchObject({ status: 0, stdout: '', stderr: '' })
    writeFileSync(handler, `${before}// changed\n`)
    const note = 'dist/ is out of date: src/handlers/get_status.ts changed since the last build.'
    expect(svc('doctor').stdout).toContain(note)
    expect(svc('build', '--before-start')).toMatchObject({
      status: 0,
      stderr: `warning: ${note} Run: npm run build\n`,
    })
    expect(svc('build', '--check')).toMatchObject({
      status: 0,
      stderr: `generated/ is up to date with the manifest\nnote: ${note} Run: svc build\n`,
    })
    // Where dist/ was deployed, there are no sources.
    rmSync(handler)
    expect(svc('build', '--before-start').stderr).toBe('')
    writeFileSync(handler, before)
  })

  it('of a folder without a project says how to make one', () => {
    const { status, stdout } = spawnSync(process.execPath, [SVC, 'doctor', join(folder, 'node_modules')], {
      encoding: 'utf8',
    })
    expect(status).toBe(1)
    expect(stdout).toContain('svc init')
  })
})
