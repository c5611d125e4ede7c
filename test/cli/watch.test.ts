import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

const MINIMAL = readFileSync('examples/minimal/svc.yaml', 'utf8')
const FRAGMENT = `capabilities:
  lookup:
    description: Looks an account up by its id.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [crm.read]
    inputs: []
    output: { type: account, fields: [account] }
`
const HEAD = MINIMAL.replace(/^capabilities:/mu, 'include: [more.yaml]\ncapabilities:')

let folder: string
let svc: ChildProcess | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-watch-'))
  write('svc.yaml', MINIMAL)
})
afterEach(() => {
  svc?.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)

/** Starts `svc validate --watch`; `seen` waits until it has printed a text after what was seen before. */
function watching(...args: readonly string[]) {
  const child = spawn(process.execPath, [join(process.cwd(), 'bin/svc.cjs'), 'validate', '--watch', ...args], {
    cwd: folder,
  })
  svc = child
  let output = ''
  let from = 0
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return {
    async seen(text: string): Promise<void> {
      await expect.poll(() => output.slice(from), { timeout: 15_000 }).toContain(text)
      from = output.indexOf(text, from) + text.length
    },
    ended: () => new Promise<number | null>((resolve) => child.once('exit', resolve)),
  }
}

it('checks after each change, waits for a file that is gone, and ends when it is asked to', async () => {
  const { seen, ended } = watching()
  await seen('0 problems in 1 file.')
  write('svc.yaml', MINIMAL.replace('contract_version', 'contract_versoin'))
  await seen('SVC0202 unknown-field')
  write('svc.yaml', MINIMAL)
  await seen('0 problems in 1 file.')
  rmSync(join(folder, 'svc.yaml'))
  await seen('SVC0002 unreadable')
  write('svc.yaml', MINIMAL)
  await seen('0 problems in 1 file.')
  svc!.kill('SIGINT')
  expect(await ended()).toBe(0)
}, 60_000)

it('watches the files that a manifest includes, and those that come to match', async () => {
  write('svc.yaml', HEAD)
  const { seen } = watching('--out', 'json=found.json')
  await seen('SVC0127 include-missing')
  write('more.yaml', FRAGMENT)
  await seen('0 problems in 2 files.')
  write('more.yaml', FRAGMENT.replace('read }', 'raed }'))
  await seen('more.yaml:5:26')
  expect(JSON.parse(readFileSync(join(folder, 'found.json'), 'utf8'))).toMatchObject({ summary: { errors: 1 } })
}, 60_000)

it('reads the configuration again when it changes', async () => {
  write('svc.yaml', MINIMAL.replace(/^# yaml-language-server.*\n/u, ''))
  const { seen } = watching()
  await seen('0 problems in 1 file.')
  write('svc.config.yaml', 'validate: { presett: strict }\n')
  await seen('SVC0004 bad-config')
  write('svc.config.yaml', 'validate: { preset: strict }\n')
  await seen('SVC6110')
  rmSync(join(folder, 'svc.config.yaml'))
  await seen('0 problems in 1 file.')
}, 60_000)

it('cannot watch standard input', async () => {
  const { seen, ended } = watching('-')
  const code = ended()
  await seen('Standard input cannot be watched')
  expect(await code).toBe(2)
})
