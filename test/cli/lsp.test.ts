import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  CodeActionRequest,
  CompletionRequest,
  DefinitionRequest,
  DidCloseTextDocumentNotification,
  DocumentFormattingRequest,
  ExitNotification,
  HoverRequest,
  ReferencesRequest,
  RenameRequest,
  ShutdownRequest,
  type CompletionItem,
  type MarkupContent,
  type Position,
} from 'vscode-languageserver-protocol/node'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startEditor, type Editor } from './language-client.js'

const TEXT = `# yaml-language-server: $schema=./node_modules/svc-kit/schemas/manifest.schema.json
manifest_metadata: { version: "0.24.0" }
service_identity: { id: crm }
trust: { level: signed }
capabilities:
  lookup:
    description: Looks an account up by its id.
    contract_version: 1.0.0
    side_effect: { type: READ }
    minimum_scope: [crm.read]
    inputs: []
    output: { type: account, fields: [account] }
  show:
    description: Shows one account with its history.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [crm.read]
    inputs: []
    output: { type: account, fields: [account] }
    refresh_via:
      - lookup
`
/** The same service over two files: the second capability stands in a fragment. */
const HEAD = TEXT.slice(0, TEXT.indexOf('  show:'))
  .replace('READ', 'read')
  .replace('capabilities:', 'include: [more.yaml]\ncapabilities:')
const FRAGMENT = `capabilities:\n${TEXT.slice(TEXT.indexOf('  show:'))}`

let editor: Editor
let folder: string
beforeAll(async () => {
  editor = await startEditor()
  folder = mkdtempSync(join(tmpdir(), 'svc-lsp-'))
  writeFileSync(join(folder, 'svc.yaml'), HEAD)
  writeFileSync(join(folder, 'more.yaml'), FRAGMENT)
}, 30_000)
afterAll(async () => {
  rmSync(folder, { recursive: true })
  expect(await editor.close()).toBe(0)
})

let documents = 0
let uri: string
beforeEach(() => {
  uri = `untitled:${++documents}.yaml`
})
const fileUri = (name: string): string => pathToFileURL(join(folder, name)).href
const codesOf = (name: string): readonly unknown[] | undefined => editor.diagnostics(name)?.map(({ code }) => code)
const at = (line: number, character: number, name = uri) => ({
  textDocument: { uri: name },
  position: { line, character },
})
const cursorAt = (column: number) => at(6, 18 + column)
const range = (line: number, from: number, to: number) => ({
  start: { line, character: from },
  end: { line, character: to },
})

async function complete(text: string, { line, character }: Position): Promise<readonly string[]> {
  await editor.open(uri, text)
  const items = await editor.connection.sendRequest(CompletionRequest.type, at(line, character))
  return (items as CompletionItem[]).map(({ label }) => label)
}
const edited = (find: string, replacement: string): string => TEXT.replace(find, replacement)

describe('svc lsp, as a process, with the client of the protocol', () => {
  it('says what it can do', () => {
    expect(editor.initialized.serverInfo?.name).toBe('svc')
    expect(editor.initialized.capabilities).toMatchObject({
      positionEncoding: 'utf-16',
      textDocumentSync: { openClose: true, change: 2 },
      hoverProvider: true,
      definitionProvider: true,
      renameProvider: { prepareProvider: true },
    })
  })

  it('publishes what svc validate finds', async () => {
    await editor.open(uri, TEXT)
    await expect
      .poll(() => editor.diagnostics(uri))
      .toEqual([
        {
          range: range(8, 25, 29),
          severity: 1,
          code: 'SVC0211',
          codeDescription: { href: pathToFileURL(resolve('docs/reference/rules/wrong-case.md')).href },
          source: 'svc',
          message: '`READ` is spelt `read` here.',
          relatedInformation: [],
        },
      ])
  })

  it('follows edits of parts of the text, to and fro', async () => {
    await editor.open(uri, TEXT)
    await editor.edit(uri, range(8, 25, 29), 'read')
    await expect.poll(() => codesOf(uri)).toEqual([])
    await editor.edit(uri, { start: { line: 20, character: 8 }, end: { line: 20, character: 14 } }, 'lokup')
    await expect.poll(() => codesOf(uri)).toEqual(['SVC3007'])
    await editor.edit(uri, { start: { line: 19, character: 0 }, end: { line: 21, character: 0 } }, '')
    await expect.poll(() => codesOf(uri)).toEqual([])
    await editor.edit(uri, { start: { line: 5, character: 2 }, end: { line: 5, character: 9 } }, 'lookup: [')
    await expect.poll(() => codesOf(uri)?.[0]).toBe('SVC0101')
  })

  it('checks once after a pause in typing, and completes while somebody types', async () => {
    await editor.open(uri, TEXT)
    await expect.poll(() => editor.publications(uri)).toBe(1)
    for (let at = 0; at < 5; at++) {
      await editor.edit(uri, range(6, 17 + at, 17 + at), 'x')
      const items = await editor.connection.sendRequest(CompletionRequest.type, cursorAt(at))
      expect(items).not.toBeNull()
    }
    expect(editor.publications(uri)).toBe(1)
    await expect.poll(() => editor.publications(uri)).toBe(2)
    await editor.edit(uri, range(8, 25, 29), 'read')
    const hover = await editor.connection.sendRequest(HoverRequest.type, at(8, 26))
    expect(hover).not.toBeNull()
    expect(editor.publications(uri)).toBe(3)
    expect(codesOf(uri)).toEqual([])
  })

  it('takes what was found back when a document is closed', async () => {
    await editor.open(uri, TEXT)
    await expect.poll(() => codesOf(uri)).toEqual(['SVC0211'])
    await editor.connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri } })
    await expect.poll(() => codesOf(uri)).toEqual([])
  })

  it('explains a finding and its field on hover', async () => {
    await editor.open(uri, TEXT)
    const hover = await editor.connection.sendRequest(HoverRequest.type, at(8, 26))
    const { kind, value } = hover!.contents as MarkupContent
    expect(kind).toBe('markdown')
    expect(value).toContain('**SVC0211 wrong-case**: `READ` is spelt `read` here.')
    expect(value).toContain('- **Type**: `read`, `write`, `transactional`, `irreversible`, required')
    expect(await editor.connection.sendRequest(HoverRequest.type, at(0, 0))).toBe(null)
    const ofKey = await editor.connection.sendRequest(HoverRequest.type, at(8, 6))
    expect((ofKey!.contents as MarkupContent).value).toContain('**At run time**: ')
  })

  it('completes fields that are not there yet', async () => {
    const found = await complete(edited('    refresh_via:\n      - lookup\n', '    ver\n'), { line: 19, character: 7 })
    expect(found).toContain('verify_via')
    expect(found).not.toContain('description')
  })

  it.each([
    ['words', edited('type: READ', 'type: '), 8, 25, ['read', 'write', 'transactional', 'irreversible']],
    ['capability names', edited('      - lookup', '      - lo'), 20, 10, ['lookup', 'show']],
    ['scopes', edited('[crm.read]', '[c]'), 9, 21, ['crm.read']],
  ] as const)('completes %s', async (_, text, line, character, wanted) => {
    expect(await complete(text, { line, character })).toEqual(wanted)
  })

  it('completes paths of a composition', async () => {
    const text = `${TEXT}  report:
    kind: composed
    inputs:
      - { name: city, type: string }
    composition:
      steps: [{ id: find, capability: lookup }]
      output_mapping: { account:  }
`
    expect(await complete(text, { line: 27, character: 33 })).toEqual(['$.input.city', '$.steps.find.output.account'])
  })

  it('goes to the declaration of a capability', async () => {
    await editor.open(uri, TEXT)
    expect(await editor.connection.sendRequest(DefinitionRequest.type, at(20, 10))).toEqual({
      uri,
      range: range(5, 2, 8),
    })
  })

  it('renames a capability with all its references, and to a name only', async () => {
    await editor.open(uri, TEXT)
    const rename = (newName: string) => editor.connection.sendRequest(RenameRequest.type, { ...at(5, 3), newName })
    expect(await rename('find')).toEqual({
      changes: {
        [uri]: [
          { range: range(5, 2, 8), newText: 'find' },
          { range: range(20, 8, 14), newText: 'find' },
        ],
      },
    })
    await expect(rename('Find It')).rejects.toThrow('not a capability name')
  })

  it('offers the fix of a finding', async () => {
    await editor.open(uri, TEXT)
    const request = { textDocument: { uri }, range: range(8, 26, 26), context: { diagnostics: [] } }
    expect(await editor.connection.sendRequest(CodeActionRequest.type, request)).toMatchObject([
      {
        title: 'Write read',
        kind: 'quickfix',
        edit: { changes: { [uri]: [{ range: range(8, 25, 29), newText: 'read' }] } },
      },
    ])
  })

  it('formats', async () => {
    await editor.open(uri, 'capabilities:    {}   \n')
    const request = { textDocument: { uri }, options: { tabSize: 2, insertSpaces: true } }
    expect(await editor.connection.sendRequest(DocumentFormattingRequest.type, request)).toMatchObject([
      { newText: 'capabilities: {}\n' },
    ])
  })

  it('refuses what it does not know', async () => {
    await expect(editor.connection.sendRequest('textDocument/declaration', at(0, 0))).rejects.toThrow(
      'svc lsp does not know textDocument/declaration.',
    )
  })
})

describe('svc lsp over the files of one manifest', () => {
  it('checks a fragment with the manifest that includes it, and the other way round', async () => {
    await editor.open(fileUri('more.yaml'), FRAGMENT)
    await expect.poll(() => codesOf(fileUri('more.yaml'))).toEqual([])
    await editor.edit(fileUri('more.yaml'), range(1, 2, 6), 'lookup')
    await expect.poll(() => codesOf(fileUri('more.yaml'))).toContain('SVC1005')
    await editor.edit(fileUri('more.yaml'), range(1, 2, 8), 'show')
    await expect.poll(() => codesOf(fileUri('more.yaml'))).toEqual([])
    await editor.open(fileUri('svc.yaml'), HEAD)
    await editor.edit(fileUri('svc.yaml'), range(6, 2, 8), 'look_up')
    await expect.poll(() => codesOf(fileUri('more.yaml'))).toEqual(['SVC3007'])
    await editor.edit(fileUri('svc.yaml'), range(6, 2, 9), 'lookup')
    await expect.poll(() => codesOf(fileUri('more.yaml'))).toEqual([])
  })

  it('goes to a declaration in another file', async () => {
    await editor.open(fileUri('more.yaml'), FRAGMENT)
    expect(await editor.connection.sendRequest(DefinitionRequest.type, at(9, 10, fileUri('more.yaml')))).toEqual({
      uri: fileUri('svc.yaml'),
      range: range(6, 2, 8),
    })
  })

  it('completes the names of other files', async () => {
    const text = FRAGMENT.replace('- lookup', '- lo')
    await editor.open(fileUri('more.yaml'), text)
    const items = await editor.connection.sendRequest(CompletionRequest.type, at(9, 10, fileUri('more.yaml')))
    expect((items as CompletionItem[]).map(({ label }) => label).toSorted()).toEqual(['lookup', 'show'])
  })

  it('renames and finds references in every file, those that are not open included', async () => {
    await editor.open(fileUri('svc.yaml'), HEAD)
    await editor.open(fileUri('more.yaml'), FRAGMENT)
    await editor.connection.sendNotification(DidCloseTextDocumentNotification.type, {
      textDocument: { uri: fileUri('more.yaml') },
    })
    const renamed = await editor.connection.sendRequest(RenameRequest.type, {
      ...at(6, 4, fileUri('svc.yaml')),
      newName: 'find',
    })
    expect(renamed?.changes).toEqual({
      [fileUri('svc.yaml')]: [{ range: range(6, 2, 8), newText: 'find' }],
      [fileUri('more.yaml')]: [{ range: range(9, 8, 14), newText: 'find' }],
    })
    const found = await editor.connection.sendRequest(ReferencesRequest.type, {
      ...at(6, 4, fileUri('svc.yaml')),
      context: { includeDeclaration: true },
    })
    expect(found?.map((each) => each.uri)).toEqual([fileUri('svc.yaml'), fileUri('more.yaml')])
  })
})

it('refuses requests after shutdown', async () => {
  const other = await startEditor()
  await other.connection.sendRequest(ShutdownRequest.type)
  await expect(other.connection.sendRequest(HoverRequest.type, at(0, 0))).rejects.toThrow('shut down')
  await other.connection.sendNotification(ExitNotification.type)
})
