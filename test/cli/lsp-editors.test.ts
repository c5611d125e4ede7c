/** What editors do beside editing well-formed text: they spell names their own way, close files, and send what is broken. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  CompletionRequest,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  HoverRequest,
  LogMessageNotification,
  ReferencesRequest,
  RenameRequest,
  type CompletionItem,
  type MarkupContent,
} from 'vscode-languageserver-protocol/node'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startEditor, type Editor } from './language-client.js'

const TEXT = `# yaml-language-server: $schema=./node_modules/svc-kit/schemas/manifest.schema.json
manifest_metadata: { version: "0.24.0" }
service_identity: { id: crm }
trust: { level: signed }
approvals: { approver_scope: "approver:lookup" }
capabilities:
  lookup:
    description: Looks an account up by its id.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [crm.read]
    inputs: []
    output: { type: account, fields: [account] }
`
const WRONG = TEXT.replace('type: read', 'type: READ')
const WITH_MORE = TEXT.replace('capabilities:', 'include: [more.yaml]\ncapabilities:')
const MORE = `capabilities:
  show:
    description: Shows one account with its history.
    contract_version: 1.0.0
    side_effect: { type: READ }
    minimum_scope: [crm.read]
    inputs: []
    output: { type: account, fields: [account] }
`

let editor: Editor
let folder: string
const logged: string[] = []
beforeAll(async () => {
  editor = await startEditor()
  editor.connection.onNotification(LogMessageNotification.type, ({ message }) => void logged.push(message))
  folder = mkdtempSync(join(tmpdir(), 'svc-lsp-'))
}, 30_000)
afterAll(async () => {
  rmSync(folder, { recursive: true })
  expect(await editor.close()).toBe(0)
})

let documents = 0
let home: string
beforeEach(() => {
  home = join(folder, `@acme ${++documents}`)
  mkdirSync(home)
})
function write(name: string, text: string): string {
  writeFileSync(join(home, name), text)
  return pathToFileURL(join(home, name)).href
}
const codes = (uri: string) => editor.diagnostics(uri)?.map(({ code }) => code)
const found = (uri: string) => expect.poll(() => codes(uri))
const at = (uri: string, line: number, character: number) => ({
  textDocument: { uri },
  position: { line, character },
})
const close = (uri: string) =>
  editor.connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri } })

it('knows a file by whichever URI the editor spells', async () => {
  const uri = write('svc.yaml', TEXT).replace('@', '%40')
  await editor.open(uri, WRONG)
  await found(uri).toEqual(['SVC0211'])
  const hover = await editor.connection.sendRequest(HoverRequest.type, at(uri, 9, 26))
  expect((hover!.contents as MarkupContent).value).toContain('SVC0211 wrong-case')
})

it('takes what the editor holds of a fragment, however its URI is spelt', async () => {
  const uri = write('svc.yaml', WITH_MORE)
  const more = write('more.yaml', MORE).replace('@', '%40')
  await editor.open(uri, WITH_MORE)
  await editor.open(more, MORE.replace('READ', 'read'))
  await found(more).toEqual([])
})

it('takes back the findings of fragments when the manifest is closed', async () => {
  const more = write('more.yaml', MORE)
  const uri = write('svc.yaml', WITH_MORE)
  await editor.open(uri, WITH_MORE)
  await found(more).toEqual(['SVC0211'])
  await close(uri)
  await found(more).toEqual([])
})

it('checks a fragment by itself when the manifest includes it no more, and with it when it does again', async () => {
  const more = write('more.yaml', MORE)
  const uri = write('svc.yaml', WITH_MORE)
  await editor.open(uri, WITH_MORE)
  await editor.open(more, MORE)
  await found(more).toEqual(['SVC0211'])
  const line = { start: { line: 5, character: 0 }, end: { line: 6, character: 0 } }
  await editor.edit(uri, line, '')
  await found(more).toContain('SVC0201')
  await editor.edit(uri, { ...line, end: line.start }, '"include": [more.yaml]\n')
  await found(more).toEqual(['SVC0211'])
})

it('finds nothing in YAML that is no manifest, until it is one', async () => {
  const uri = write('workflow.yml', '')
  await editor.open(uri, 'on: push\njobs: {}\n')
  await found(uri).toEqual([])
  await editor.edit(uri, { start: { line: 0, character: 0 }, end: { line: 2, character: 0 } }, WRONG)
  await found(uri).toEqual(['SVC0211'])
})

it('checks a manifest beside a broken configuration, and says what is wrong with that', async () => {
  write('svc.config.yaml', 'validate: [')
  const uri = write('svc.yaml', TEXT)
  await editor.open(uri, WRONG)
  await found(uri).toEqual(['SVC0211'])
  await expect.poll(() => logged.join('\n')).toContain('SVC0004 bad-config')
})

it('checks other documents when one has no file that could be', async () => {
  const uri = write('svc.yaml', TEXT)
  await editor.open('file:///%ZZ/svc.yaml', TEXT)
  await editor.open(uri, WRONG)
  await found(uri).toEqual(['SVC0211'])
  await close('file:///%ZZ/svc.yaml')
})

it.each([
  ['textDocument/didOpen', undefined],
  ['textDocument/didOpen', { textDocument: { uri: 'untitled:x', text: 5 } }],
  ['textDocument/didChange', { textDocument: { uri: 'untitled:x' }, contentChanges: [null] }],
  ['textDocument/didClose', {}],
])('outlives a broken %s', async (method, params) => {
  await editor.open('untitled:x', TEXT)
  await editor.connection.sendNotification(method, params)
  await expect.poll(() => logged.join('\n')).toContain(`svc: cannot take ${method}: `)
  expect(await editor.connection.sendRequest(HoverRequest.type, at('untitled:x', 9, 20))).not.toBe(null)
})

it('takes a place beyond the end of a line for its end, before CR LF', async () => {
  const uri = `untitled:crlf`
  await editor.open(uri, WRONG.replaceAll('\n', '\r\n'))
  const range = { start: { line: 9, character: 19 }, end: { line: 9, character: 999 } }
  await editor.connection.sendNotification(DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version: 2 },
    contentChanges: [{ range, text: 'type: read }' }],
  })
  await found(uri).toEqual([])
})

it('offers the fields of a manifest where nothing is written yet', async () => {
  await editor.open('untitled:new', '')
  const items = await editor.connection.sendRequest(CompletionRequest.type, at('untitled:new', 0, 0))
  expect((items as CompletionItem[]).map(({ label }) => label).slice(0, 3)).toEqual([
    'manifest_metadata',
    'service_identity',
    'trust',
  ])
})

it('renames a capability in an approver scope, and to no name that is taken', async () => {
  const uri = 'untitled:rename'
  await editor.open(uri, `${TEXT}${MORE.slice('capabilities:\n'.length)}`)
  const rename = (newName: string) => editor.connection.sendRequest(RenameRequest.type, { ...at(uri, 6, 3), newName })
  const change = (line: number, from: number, to: number) => ({
    range: { start: { line, character: from }, end: { line, character: to } },
    newText: 'find',
  })
  expect(await rename('find')).toEqual({ changes: { [uri]: [change(4, 39, 45), change(6, 2, 8)] } })
  await expect(rename('show')).rejects.toThrow('`show` is declared already')
})

it('finds what an alias repeats once', async () => {
  const uri = 'untitled:alias'
  const lists = '    refresh_via: &via [lookup]\n    verify_via: *via\n'
  await editor.open(uri, `${TEXT}${MORE.slice('capabilities:\n'.length)}${lists}`)
  const uses = await editor.connection.sendRequest(ReferencesRequest.type, {
    ...at(uri, 6, 3),
    context: { includeDeclaration: true },
  })
  expect(uses?.map(({ range }) => range.start.line)).toEqual([4, 6, 20])
})
