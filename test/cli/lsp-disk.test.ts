/** What an editor is told of files on the disk: which are manifests, what belongs to them, and when they are read again. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { editorInside, type EditorInside } from './editor-inside.js'

const HEAD = 'manifest_metadata: { version: "0.24.0" }\nservice_identity: { id: crm }\ntrust: { level: signed }\n'
const CAPABILITY = (name: string, effect = 'read'): string => `capabilities:
  ${name}:
    description: Looks an account up by its id.
    contract_version: 1.0.0
    side_effect: { type: ${effect} }
    minimum_scope: [crm.read]
    inputs: []
    output: { type: account, fields: [account] }
`
const INCLUDES = `${HEAD}include: [more.yaml]\n`

let folder: string
let editor: EditorInside
beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-disk-')))
  editor = await editorInside({}, [uriOf('')])
})
afterEach(async () => {
  expect(await editor.close()).toBe(true)
  rmSync(folder, { recursive: true })
})
const uriOf = (name: string): string => pathToFileURL(join(folder, name)).href
function put(name: string, text: string): string {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
  return uriOf(name)
}
const codes = (uri: string) => editor.diagnostics(uri)?.map(({ code }) => code)
const found = (uri: string) => expect.poll(() => codes(uri))

it.each([
  ['textDocument/didSave', (uri: string) => ({ textDocument: { uri } })],
  ['workspace/didChangeWatchedFiles', (uri: string) => ({ changes: [{ uri, type: 2 }] })],
])('reads files again after %s', async (method, params) => {
  const manifest = put('svc.yaml', INCLUDES)
  const more = put('more.yaml', CAPABILITY('lookup'))
  await editor.open(manifest, INCLUDES)
  await found(more).toEqual([])
  put('more.yaml', CAPABILITY('lookup', 'raed'))
  await editor.notify('initialized', {})
  await editor.notify(method, params(more))
  await found(more).toEqual(['SVC0204'])
  rmSync(join(folder, 'more.yaml'))
  await editor.notify(method, params(more))
  await found(manifest).toEqual(['SVC0127'])
})

it('links what is included with the first file that it includes', async () => {
  const text = `${HEAD}include: [more.yaml, 'parts/*.yaml']\n`
  const [more, one] = [put('more.yaml', CAPABILITY('more')), put('parts/one.yaml', CAPABILITY('one'))]
  put('parts/two.yaml', CAPABILITY('two'))
  const manifest = put('svc.yaml', text)
  await editor.open(manifest, text)
  await found(manifest).toEqual([])
  const links = await editor.ask('textDocument/documentLink', { textDocument: { uri: manifest } })
  expect(links).toMatchObject([{ target: more }, { target: one, tooltip: 'The first of 2 files' }])
})

it('takes the lints of the configuration beside a manifest, as it is now', async () => {
  const text = HEAD + CAPABILITY('lookup').replace('Looks an account up by its id.', 'Account.')
  const manifest = put('svc.yaml', text)
  await editor.open(manifest, text)
  await found(manifest).toEqual(['SVC6101'])
  const config = put('svc.config.yaml', 'validate: { severity: { SVC6101: off } }\n')
  await editor.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: config, type: 1 }] })
  await found(manifest).toEqual([])
  put('svc.config.yaml', 'validate: { severity: { SVC6101: error } }\n')
  await editor.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: config, type: 2 }] })
  await expect.poll(() => editor.diagnostics(manifest)?.map(({ severity }) => severity)).toEqual([1])
})

it.each([
  ['svc.yaml', 'a: b\n', true],
  ['svc.yml', 'a: b\n', true],
  ['deep/svc.json', '{"a":"b"}', true],
  ['other.yaml', 'a: b\n', false],
  ['svc.yaml.txt', 'a: b\n', false],
  ['my-svc.yaml', 'a: b\n', false],
  ['other.yaml', 'capabilities: 5\n', true],
  ['other.yaml', '"service_identity" : 5\n', true],
  ['other.yaml', "  'manifest_metadata': 5\n", true],
  ['other.yaml', 'my_capabilities: 5\n', false],
  ['other.yaml', '# capabilities: 5\na: b\n', false],
  ['other.yaml', 'trust: 5\n', false],
])('%s that says %j is judged: %s', async (name, text, isJudged) => {
  const uri = put(name, text)
  await editor.open(uri, text)
  await expect.poll(() => codes(uri)).not.toBe(undefined)
  expect(codes(uri)!.length > 0).toBe(isJudged)
})

it.each([
  ['more.yaml', CAPABILITY('lookup', 'raed'), ['SVC0204']],
  ['parts/deep/a.yaml', CAPABILITY('lookup', 'raed'), ['SVC0204']],
  ['other.yaml', CAPABILITY('lookup', 'raed'), 'alone'],
  ['more.yaml', `trust: {}\n${CAPABILITY('lookup', 'raed')}`, 'alone'],
] as const)('%s that the manifest above includes is judged with it', async (name, text, wanted) => {
  put('svc.yaml', `${HEAD}include: [more.yaml, parts/**/*.yaml]\n`)
  const uri = put(name, text)
  await editor.open(uri, text)
  if (wanted === 'alone') await found(uri).toContain('SVC0201')
  else await found(uri).toEqual(wanted)
})

it('a fragment is found by the nearest svc.yaml above it', async () => {
  put('svc.yaml', HEAD + CAPABILITY('lookup'))
  put('near/svc.yaml', INCLUDES)
  const uri = put('near/more.yaml', CAPABILITY('lookup', 'raed'))
  await editor.open(uri, CAPABILITY('lookup', 'raed'))
  await found(uri).toEqual(['SVC0204'])
  expect(codes(uriOf('near/svc.yaml'))).toEqual([])
  expect(codes(uriOf('svc.yaml'))).toBe(undefined)
})

it('an edit of a document that is not open, and a notification that nobody knows, change nothing', async () => {
  const text = HEAD + CAPABILITY('lookup', 'raed')
  const uri = put('svc.yaml', text)
  await editor.open(uri, text)
  await found(uri).toEqual(['SVC0204'])
  const contentChanges = [{ text: 'a: b\n' }]
  await editor.notify('textDocument/didChange', { textDocument: { uri: uriOf('none.yaml'), version: 2 }, contentChanges }) // prettier-ignore
  await editor.notify('workspace/didNothing', {})
  await editor.notify('textDocument/didChange', {
    textDocument: { uri, version: 2 },
    contentChanges: [{ text: HEAD + CAPABILITY('lookup') }],
  })
  await found(uri).toEqual([])
  expect(editor.diagnostics(uriOf('none.yaml'))).toBe(undefined)
})

const symbols = async (query: string): Promise<readonly string[]> =>
  (await editor.ask<{ name: string; location: { uri: string } }[]>('workspace/symbol', { query })).map(
    ({ name, location }) => `${location.uri.slice(uriOf('').length + 1)} ${name}`,
  )

it('finds symbols of closed manifests 8 folders deep, and in no folder of builds', async () => {
  const deep = (count: number): string => Array.from({ length: count }, (_, n) => `d${n}`).join('/')
  for (const name of [`${deep(7)}/svc.yaml`, `e/${deep(7)}/svc.yaml`, `f/${deep(8)}/svc.yaml`, 'dist/svc.yaml', '.git/svc.yaml', 'node_modules/a/svc.yaml', 'a/svc.yml', 'a/svc.json', 'a/other.yaml']) put(name, JSON.stringify({ capabilities: { find_it: {} } })) // prettier-ignore
  expect((await symbols('find_it')).toSorted()).toEqual(['a/svc.json find_it', 'a/svc.yml find_it', `${deep(7)}/svc.yaml find_it`, `e/${deep(7)}/svc.yaml find_it`]) // prettier-ignore
})

it('reads at most 200 closed manifests', async () => {
  for (let n = 0; n < 201; n++) put(`s${String(n).padStart(3, '0')}/svc.yaml`, 'capabilities: { find_it: {} }\n')
  const all = await symbols('find_it')
  expect([all.length, all[0], all.at(-1)]).toEqual([200, 's000/svc.yaml find_it', 's199/svc.yaml find_it'])
})
