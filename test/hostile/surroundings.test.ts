import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let parent: string
let folder: string
let outside: string

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'svc-surroundings-'))
  folder = join(parent, 'travel')
  outside = join(parent, 'outside')
  cpSync('examples/travel', folder, { recursive: true })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(resolve('.'), join(folder, 'node_modules/svc-kit'), 'junction')
  mkdirSync(outside)
  writeFileSync(join(outside, 'file'), 'theirs')
})
afterEach(() => rmSync(parent, { recursive: true, force: true, maxRetries: 20 }))

const svc = (args: readonly string[], options: readonly string[] = []) =>
  spawnSync(process.execPath, [...options, resolve('bin/svc.cjs'), ...args], { cwd: folder, encoding: 'utf8' })

/** Replaces a path of the project by a link. */
function link(path: string, target: string): void {
  rmSync(join(folder, path), { recursive: true, force: true, maxRetries: 20 })
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  symlinkSync(target, join(folder, path))
}

describe('a build writes through no link', () => {
  it.each([
    ['generated', ''],
    ['generated/types.ts', 'file'],
    ['generated/client.ts', 'absent'],
    ['dist', ''],
    ['dist/client', 'absent'],
    ['dist/server.mjs', 'file'],
  ])('at %s', (path, target) => {
    link(path, join(outside, target))
    const { status, stderr } = svc(['build', '--force'])
    expect([status, stderr]).toEqual([2, expect.stringContaining(`${path} is a link`)])
    expect(readdirSync(outside)).toEqual(['file'])
    expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('theirs')
  })
})

/** Whatever would leave the process towards a network ends it. */
const NO_NETWORK = `
import dgram from 'node:dgram'
import dns from 'node:dns'
import net from 'node:net'
const refuse = (name) => () => { console.error('NETWORK ' + name); process.exit(99) }
net.Socket.prototype.connect = refuse('connect')
dgram.createSocket = refuse('udp')
dns.lookup = refuse('lookup')
dns.promises.lookup = refuse('lookup')
globalThis.fetch = refuse('fetch')
`

it('compiles without a network and makes no code from text', () => {
  const preload = join(parent, 'no-network.mjs')
  writeFileSync(preload, NO_NETWORK)
  const strict = ['--import', preload, '--disallow-code-generation-from-strings']
  for (const command of [['validate'], ['build'], ['build', '--check']])
    expect([command, svc(command, strict)]).toEqual([command, expect.objectContaining({ status: 0 })])
  const guard = spawnSync(process.execPath, ['--import', preload, '-e', "fetch('http://127.0.0.1:9')"])
  expect(guard.status).toBe(99)
}, 60_000)
