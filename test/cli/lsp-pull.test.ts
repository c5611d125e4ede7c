/** An editor that asks for findings itself, over a manifest of several files on the disk. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  DiagnosticRefreshRequest,
  DidCloseTextDocumentNotification,
  DocumentDiagnosticRequest,
  DocumentLinkRequest,
  RenameRequest,
  WorkspaceSymbolRequest,
  type FullDocumentDiagnosticReport,
} from 'vscode-languageserver-protocol/node'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startEditor, type Editor } from './language-client.js'

const HEAD = `manifest_metadata: { version: "0.24.0" }
service_identity: { id: crm }
trust: { level: signed }
include: [capabilities/*.yaml, 'more.yaml']
`
const capability = (name: string, effect: string): string => `capabilities:
  ${name}:
    description: Reads one ${name} by its id, with its history.
    contract_version: 1.0.0
    side_effect: { type: ${effect} }
    minimum_scope: [crm.read]
    inputs: []
    output: { type: account, fields: [account] }
`
const folder = mkdtempSync(join(tmpdir(), 'svc-lsp-pull-'))
const uriOf = (name: string): string => pathToFileURL(join(folder, name)).href
const FILES = {
  'svc.yaml': HEAD,
  'more.yaml': capability('account', 'read'),
  'capabilities/a.yaml': capability('person', 'READ'),
  'capabilities/b.yaml': capability('letter', 'read'),
}
const MANIFEST = uriOf('svc.yaml')
const FRAGMENT = uriOf('capabilities/a.yaml')

let editor: Editor
let refreshes = 0
beforeAll(async () => {
  mkdirSync(join(folder, 'capabilities'))
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
  editor = await startEditor({
    workspace: { diagnostics: { refreshSupport: true } },
    textDocument: { diagnostic: {} },
  })
  editor.connection.onRequest(DiagnosticRefreshRequest.type, () => void refreshes++)
}, 30_000)
afterAll(async () => {
  rmSync(folder, { recursive: true })
  expect(await editor.close()).toBe(0)
})

async function pull(uri: string, previousResultId?: string): Promise<FullDocumentDiagnosticReport> {
  const known = previousResultId === undefined ? {} : { previousResultId }
  return (await editor.connection.sendRequest(DocumentDiagnosticRequest.type, {
    textDocument: { uri },
    ...known,
  })) as FullDocumentDiagnosticReport
}
const codes = ({ items }: FullDocumentDiagnosticReport) => items.map(({ code }) => code)

it('says that it may be asked', () => {
  expect(editor.initialized.capabilities.diagnosticProvider).toMatchObject({ interFileDependencies: true })
})

it('tells of files that are not open, is asked for those that are, and asks to be asked again', async () => {
  await editor.open(MANIFEST, HEAD)
  await expect.poll(() => editor.diagnostics(FRAGMENT)?.map(({ code }) => code)).toEqual(['SVC0211'])
  const first = await pull(MANIFEST)
  expect([first.kind, codes(first)]).toEqual(['full', []])
  expect(await pull(MANIFEST, first.resultId)).toEqual({ kind: 'unchanged', resultId: first.resultId })

  await editor.open(FRAGMENT, FILES['capabilities/a.yaml'])
  expect(codes(await pull(FRAGMENT))).toEqual(['SVC0211'])
  await expect.poll(() => editor.diagnostics(FRAGMENT)).toEqual([])

  const before = refreshes
  await editor.edit(FRAGMENT, { start: { line: 4, character: 25 }, end: { line: 4, character: 29 } }, 'read')
  await expect.poll(() => refreshes).toBeGreaterThan(before)
  expect(codes(await pull(FRAGMENT))).toEqual([])
  expect(editor.diagnostics(MANIFEST)).toBe(undefined)
})

it('finds nothing in what nobody opened', async () => {
  expect(codes(await pull(uriOf('absent.yaml')))).toEqual([])
})

it('links what a manifest includes, a glob to the first of its files', async () => {
  const links =
    (await editor.connection.sendRequest(DocumentLinkRequest.type, { textDocument: { uri: MANIFEST } })) ?? []
  expect(links.map(({ target, tooltip }) => [target, tooltip])).toEqual([
    [FRAGMENT, 'The first of 2 files'],
    [uriOf('more.yaml'), undefined],
  ])
})

it('finds symbols, and renames a scope, in every file of the manifest', async () => {
  const found = (await editor.connection.sendRequest(WorkspaceSymbolRequest.type, { query: 'letter' })) ?? []
  expect(found.map(({ location }) => location.uri)).toEqual([uriOf('capabilities/b.yaml')])
  const position = { line: 5, character: 22 }
  const renamed = await editor.connection.sendRequest(RenameRequest.type, { textDocument: { uri: FRAGMENT }, position, newName: 'crm.see' }) // prettier-ignore
  expect(Object.keys(renamed!.changes!).toSorted()).toEqual([
    FRAGMENT,
    uriOf('capabilities/b.yaml'),
    uriOf('more.yaml'),
  ])
})

it('tells of a file again when it is closed', async () => {
  await editor.edit(FRAGMENT, { start: { line: 4, character: 25 }, end: { line: 4, character: 29 } }, 'READ')
  await editor.connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri: FRAGMENT } })
  await expect.poll(() => editor.diagnostics(FRAGMENT)?.map(({ code }) => code)).toEqual(['SVC0211'])
})
