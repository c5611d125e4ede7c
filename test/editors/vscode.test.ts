/** The extension of VS Code, packed as CI packs it. It is not started in VS Code. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, inflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { wellFormedXml } from '../cli/well-formed-xml.js'
import { documentsOf, homesOf, serverOf } from '../../editors/vscode/src/servers.js'

const folder = mkdtempSync(join(tmpdir(), 'svc-vscode-'))
const archive = join(folder, 'svc-kit.vsix')
let files: ReadonlyMap<string, string>

/** What an archive holds, read by its directory as programs for zip archives do. */
function filesIn(bytes: Buffer): ReadonlyMap<string, string> {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  const found = new Map<string, string>()
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [sum, packed, size, length, offset] = [bytes.readUInt32LE(at + 16), bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24), bytes.readUInt16LE(at + 28), bytes.readUInt32LE(at + 42)] // prettier-ignore
    const name = bytes.toString('utf8', at + 46, at + 46 + length)
    const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28)
    const content = inflateRawSync(bytes.subarray(start, start + packed))
    expect([name, content.length]).toEqual([name, size])
    if (typeof crc32 === 'function') expect([name, crc32(content)]).toEqual([name, sum])
    found.set(name, content.toString('utf8'))
    at += 46 + length
  }
  return found
}

beforeAll(() => {
  execFileSync(process.execPath, ['editors/vscode/pack.js', archive])
  files = filesIn(readFileSync(archive))
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))

it('holds what VS Code asks of an extension', () => {
  expect([...files.keys()]).toEqual(['extension.vsixmanifest', '[Content_Types].xml', 'extension/package.json', 'extension/extension.cjs', 'extension/README.md', 'extension/LICENSE.txt', 'extension/THIRD_PARTY_NOTICES.txt']) // prettier-ignore
  for (const name of ['extension.vsixmanifest', '[Content_Types].xml']) wellFormedXml(files.get(name)!)
  const description = JSON.parse(files.get('extension/package.json')!) as { readonly main: string; readonly version: string } // prettier-ignore
  const own = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string }
  expect([description.main, description.version]).toEqual(['./extension.cjs', own.version])
  expect(files.get('extension.vsixmanifest')).toContain(`Version="${own.version}"`)
  expect(files.get('extension/README.md')).toContain('It was not started in VS Code here.')
  expect(files.get('extension/THIRD_PARTY_NOTICES.txt')).toContain('vscode-languageclient 10.1.2 (MIT)')
})

it('is packed to the same bytes again', () => {
  const again = join(folder, 'again.vsix')
  execFileSync(process.execPath, ['editors/vscode/pack.js', again])
  expect(readFileSync(again).equals(readFileSync(archive))).toBe(true)
})

it('loads with nothing but Node and VS Code, and is an extension', () => {
  const program = files.get('extension/extension.cjs')!
  const needed = new Set([...program.matchAll(/\brequire\(["'`]([^"'`]+)["'`]\)/gu)].map(([, name]) => name!))
  expect([...needed].filter((name) => name !== 'vscode' && !builtinModules.includes(name.replace('node:', '')))).toEqual([])
  writeFileSync(join(folder, 'extension.cjs'), program)
  writeFileSync(join(folder, 'load.cjs'), LOADS)
  expect(execFileSync(process.execPath, [join(folder, 'load.cjs')], { encoding: 'utf8' })).toBe('activate,deactivate')
}) // prettier-ignore

/** `vscode` is whatever is asked of it. */
const LOADS = `const Module = require('node:module')
const load = Module._load
const thing = () => new Proxy(function () {}, { get: (target, key) => (key in target || typeof key === 'symbol' ? target[key] : thing()), apply: thing })
Module._load = (name, ...rest) => (name === 'vscode' ? thing() : load(name, ...rest))
process.stdout.write(Object.keys(require('./extension.cjs')).sort().join())
`

it('starts the svc-kit that is nearest above a manifest, inside of the workspace, by Node and no shell', () => {
  const installed = ['/space/a/node_modules/svc-kit/bin/svc.cjs', '/space/b/node_modules/svc-kit/bin/svc.cjs', '/node_modules/svc-kit/bin/svc.cjs'] // prettier-ignore
  const exists = (path: string): boolean => installed.includes(path)
  const manifests = ['/space/a/svc.yaml', '/space/a/deep/er/svc.yaml', '/space/b/services/one/svc.yaml', '/space/none/svc.yaml', '/spaces/svc.yaml'] // prettier-ignore
  expect(homesOf(manifests, '/space', exists)).toEqual(['/space/a', '/space/b'])
  expect(serverOf('/space/a')).toEqual({
    command: 'node',
    args: ['/space/a/node_modules/svc-kit/bin/svc.cjs', 'lsp', '--stdio'],
    options: { cwd: '/space/a', shell: false },
  })
  expect(documentsOf('/space/a').map(({ pattern }) => pattern)).toEqual(['/space/a/**', '/space/a/**'])
})
