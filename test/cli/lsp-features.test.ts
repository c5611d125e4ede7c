/** What an editor shows and changes beside findings: `svc lsp` as a process, with the client of the protocol. */
import {
  CodeActionRequest,
  CodeActionResolveRequest,
  CompletionRequest,
  CompletionResolveRequest,
  DefinitionRequest,
  DocumentHighlightRequest,
  DocumentLinkRequest,
  DocumentSymbolRequest,
  FoldingRangeRequest,
  HoverRequest,
  InlayHintRequest,
  PrepareRenameRequest,
  ReferencesRequest,
  RenameRequest,
  SemanticTokensRangeRequest,
  SemanticTokensRequest,
  WorkspaceSymbolRequest,
  type CodeAction,
  type CompletionItem,
  type DocumentSymbol,
  type MarkupContent,
  type Range,
  type TextEdit,
} from 'vscode-languageserver-protocol/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startEditor, type Editor } from './language-client.js'

const TEXT = `# yaml-language-server: $schema=./node_modules/svc-kit/schemas/manifest.schema.json
manifest_metadata: { version: "0.24.0" }
service_identity: { id: crm }
trust: { level: signed }
approvals: { approver_scope: "approver:report", request_ttl: PT36H }
capabilities:
  lookup:
    x-title: Look an account up
    description: Looks *one* account up by its id.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [crm.read]
    inputs:
      - { name: id, type: string, description: Which account. }
      - name: depth
        type: integer
        required: false
        default: 2
        description: How much of it.
        input_meanings: { "1": the name, "2": the history }
    output: { type: account, fields: [account] }
    observability: { logged: true, fields_logged: ['id'] }
  report:
    description: Reports what is known of an account.
    contract_version: 1.0.0
    kind: composed
    side_effect: { type: read }
    minimum_scope: [crm.read, crm.report]
    inputs:
      - { name: id, type: string, description: Which account. }
    output: { type: report, fields: [account] }
    composition:
      authority_boundary: same_service
      steps:
        - { id: find, capability: lookup }
      input_mapping:
        find: { id: $.input.id }
      output_mapping:
        account: "$.steps.find.output.account"
      failure_policy: propagate
      audit_policy: { record_child_invocations: true, parent_task_lineage: true }
`

let editor: Editor
beforeAll(async () => {
  editor = await startEditor({
    workspace: { workspaceEdit: { documentChanges: true, snippetEditSupport: true } },
    textDocument: {
      completion: { completionItem: { snippetSupport: true } },
      codeAction: { resolveSupport: { properties: ['edit'] } },
    },
  })
}, 30_000)
afterAll(async () => {
  expect(await editor.close()).toBe(0)
})

let documents = 0
let uri: string
beforeEach(() => {
  uri = `untitled:features-${++documents}.yaml`
})
const textDocument = () => ({ uri })
/** In the line that holds a text, at the `|` of a part of it. */
function at(text: string, marked: string) {
  const offset = text.indexOf(marked.replace('|', ''))
  expect([marked, offset]).not.toEqual([marked, -1])
  const document = TextDocument.create(uri, 'yaml', 1, text)
  return { textDocument: { uri }, position: document.positionAt(offset + marked.indexOf('|')) }
}
const here = (marked: string) => at(TEXT, marked)
const textAt = (range: Range, text = TEXT) => TextDocument.create(uri, 'yaml', 1, text).getText(range)
const lineOf = (part: string) => TEXT.slice(0, TEXT.indexOf(part)).split('\n').length - 1
const edited = (text: string, edits: readonly TextEdit[] | undefined) =>
  TextDocument.applyEdits(TextDocument.create(uri, 'yaml', 1, text), [...(edits ?? [])])
const request: Editor['connection']['sendRequest'] = (...args: readonly unknown[]) =>
  (editor.connection.sendRequest as (...all: readonly unknown[]) => Promise<never>)(...args)

it('finds nothing wrong with the manifest of these tests', async () => {
  await editor.open(uri, TEXT)
  await expect.poll(() => editor.publications(uri)).toBe(1)
  expect(editor.diagnostics(uri)?.map(({ message }) => message)).toEqual([])
})

it('outlines sections, capabilities, and what these declare', async () => {
  await editor.open(uri, TEXT)
  const outline = (await request(DocumentSymbolRequest.type, { textDocument: textDocument() })) as DocumentSymbol[]
  expect(outline.map(({ name }) => name)).toEqual(['manifest_metadata', 'service_identity', 'trust', 'approvals', 'capabilities']) // prettier-ignore
  const [lookup, report] = outline.at(-1)!.children!
  expect([lookup?.name, lookup?.detail, lookup?.children?.map(({ name }) => name)]).toEqual(['lookup', 'read · crm.read', ['id', 'depth', 'account']]) // prettier-ignore
  expect(report?.children?.map(({ name, detail }) => [name, detail])).toEqual([['id', 'string'], ['account', ''], ['find', 'lookup']]) // prettier-ignore
  expect(textAt(lookup!.selectionRange)).toBe('lookup')
  expect(lookup!.range.start.line).toBe(lineOf('lookup:'))
  expect(lookup!.range.end.line).toBe(lineOf("fields_logged: ['id']"))
})

it('folds what is longer than its line, and comments', async () => {
  const text = `# one\n# two\n${TEXT}`
  await editor.open(uri, text)
  const folds = (await request(FoldingRangeRequest.type, { textDocument: textDocument() })) ?? []
  expect(folds).toContainEqual({ startLine: lineOf('  lookup:') + 2, endLine: lineOf('fields_logged') + 2 })
  expect(folds).toContainEqual({ startLine: 0, endLine: 2, kind: 'comment' })
  expect(folds.every(({ startLine, endLine }) => startLine < endLine)).toBe(true)
})

it('links the schema', async () => {
  uri = 'file:///service/svc.yaml'
  await editor.open(uri, TEXT)
  const [link] = (await request(DocumentLinkRequest.type, { textDocument: textDocument() })) ?? []
  expect(link?.target).toBe('file:///service/node_modules/svc-kit/schemas/manifest.schema.json')
  expect(textAt(link!.range)).toBe('./node_modules/svc-kit/schemas/manifest.schema.json')
})

it('links the files that schemas refer to', async () => {
  uri = 'file:///service/svc.yaml'
  const schemas =
    "x-schemas: { Basket: { items: { $ref: './schemas/line.yaml' } }, Note: { $ref: '#/x-schemas/Basket' } }"
  await editor.open(uri, `${schemas}\n${TEXT.split('\n').slice(1).join('\n')}`)
  const [link, ...others] = (await request(DocumentLinkRequest.type, { textDocument: textDocument() })) ?? []
  expect([link?.target, others]).toEqual(['file:///service/schemas/line.yaml', []])
  expect(schemas.slice(link!.range.start.character, link!.range.end.character)).toBe('./schemas/line.yaml')
})

it.each([
  ['a capability', 'capability: loo|kup', 'find_account', ['  find_account:', 'capability: find_account }']],
  ['an input', 'name: i|d, type: string, description: Which account. }\n      - name', 'account_id', ['name: account_id,', "fields_logged: ['account_id']", 'find: { account_id: $.input.id }']],
  ['an input by its path', '$.input.i|d', 'account_id', ['name: account_id,', 'find: { id: $.input.account_id }']],
  ['a step', 'id: fi|nd', 'look', ['{ id: look, capability', 'look: { id: $.input.id }', '"$.steps.look.output.account"']],
  ['a step by its path', '$.steps.f|ind', 'look', ['{ id: look, capability', 'look: { id: $.input.id }', '"$.steps.look.output.account"']],
  ['a scope', '[crm.r|ead]', 'crm.see', ['minimum_scope: [crm.see]', 'minimum_scope: [crm.see, crm.report]']],
  ['an output field', '.output.acc|ount', 'found', ['type: account, fields: [found]', '"$.steps.find.output.found"']],
  ['a capability in an approver scope', 'approver:re|port', 'tell', ['"approver:tell"', '  tell:']],
] as const)('renames %s, and prepares it', async (_, marked, newName, wanted) => {
  await editor.open(uri, TEXT)
  const prepared = (await request(PrepareRenameRequest.type, here(marked))) as { range: Range; placeholder: string }
  expect(textAt(prepared.range)).toBe(prepared.placeholder)
  const { changes } = (await request(RenameRequest.type, { ...here(marked), newName }))!
  const after = edited(TEXT, changes![uri])
  for (const part of wanted) expect(after).toContain(part)
  expect(changes![uri]).toHaveLength(wanted.length)
  await editor.edit(uri, { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } }, after)
  await request(HoverRequest.type, here('ca|pabilities:'))
  expect(editor.diagnostics(uri)?.map(({ message }) => message)).toEqual([])
}) // prettier-ignore

it.each([
  ['name: de|pth', 'id', '`id` is declared already; choose another name.'],
  ['name: de|pth', 'not one', '`not one` is not an identifier (letters, digits and `_`).'],
  [
    '[crm.r|ead]',
    'crm.report',
    '`crm.report` is asked for already: who holds it would gain more. Choose another name.',
  ],
  ['[crm.r|ead]', 'CRM', '`CRM` is not a scope (lower-case letters, digits, and `.` `_` `:` `-` inside).'],
  ['id: fi|nd', '', '`` is not an identifier (letters, digits and `_`).'],
])('renames %s to no %s', async (marked, newName, message) => {
  await editor.open(uri, TEXT)
  await expect(request(RenameRequest.type, { ...here(marked), newName })).rejects.toThrow(message)
})

it.each(['description: Lo|oks', 'si|de_effect', 'type: re|ad', '0.24|.0'])('has nothing to rename at %s', async (marked) => {
  await editor.open(uri, TEXT)
  expect(await request(PrepareRenameRequest.type, here(marked))).toBe(null)
  expect(await request(RenameRequest.type, { ...here(marked), newName: 'other' })).toBe(null)
}) // prettier-ignore

it.each([
  ['a capability', 'capability: lookup', 'capability: lok|up'],
  ['an input', '$.input.id', '$.input.i|x'],
  ['a step', '$.steps.find', '$.steps.fi|nt'],
] as const)('renames no %s that nothing declares', async (_, declared, marked) => {
  const text = TEXT.replace(declared, marked.replace('|', ''))
  await editor.open(uri, text)
  expect(await request(PrepareRenameRequest.type, at(text, marked))).toBe(null)
  expect(await request(RenameRequest.type, { ...at(text, marked), newName: 'other' })).toBe(null)
})

it('goes from a path to the input, to the step, and to the field of its output', async () => {
  await editor.open(uri, TEXT)
  const lineAt = async (marked: string) => {
    const found = (await request(DefinitionRequest.type, here(marked))) as { range: Range }
    return TEXT.split('\n')[found.range.start.line]!.trim()
  }
  expect(await lineAt('{ i|d: $.input')).toContain('{ name: id,')
  expect(await lineAt('$.steps.fi|nd')).toBe('- { id: find, capability: lookup }')
  expect(await lineAt('output.acco|unt')).toBe('output: { type: account, fields: [account] }')
})

it('highlights a name where it is written and where it is read', async () => {
  await editor.open(uri, TEXT)
  const found = (await request(DocumentHighlightRequest.type, here('id: fi|nd'))) ?? []
  expect(found.map(({ range, kind }) => [textAt(range), range.start.line, kind])).toEqual([
    ['find', lineOf('id: find'), 3],
    ['find', lineOf('find: {'), 2],
    ['find', lineOf('"$.steps'), 2],
  ])
  const read = await request(ReferencesRequest.type, { ...here('id: fi|nd'), context: { includeDeclaration: false } })
  expect(read).toHaveLength(2)
})

it('colours names, words and types', async () => {
  await editor.open(uri, TEXT)
  const legend = editor.initialized.capabilities.semanticTokensProvider!.legend
  const decode = (data: readonly number[]) => {
    const found: string[] = []
    let [line, character] = [0, 0]
    for (let at = 0; at < data.length; at += 5) {
      const [lines = 0, characters = 0, length = 0, type = 0, modifiers = 0] = data.slice(at, at + 5)
      line += lines
      character = lines === 0 ? character + characters : characters
      const range = { start: { line, character }, end: { line, character: character + length } }
      found.push(`${textAt(range)} ${legend.tokenTypes[type]}${modifiers === 1 ? ' declaration' : ''}`)
    }
    return found
  }
  const { data } = (await request(SemanticTokensRequest.type, { textDocument: textDocument() }))!
  const all = decode(data)
  for (const token of ['lookup function declaration', 'lookup function', 'id parameter declaration', 'id parameter', 'find variable', 'crm.read decorator', 'read enumMember', 'integer type', 'report function']) expect(all).toContain(token) // prettier-ignore
  const line = lineOf('find: {')
  const range = { start: { line, character: 0 }, end: { line, character: 99 } }
  const part = (await request(SemanticTokensRangeRequest.type, { textDocument: textDocument(), range }))!
  expect(decode(part.data)).toEqual(['find variable', 'id parameter', 'id parameter'])
})

it('hints at scopes, at what a default means, and at how long a duration is', async () => {
  await editor.open(uri, TEXT)
  const range = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } }
  const hints = (await request(InlayHintRequest.type, { textDocument: textDocument(), range })) ?? []
  expect(hints.map(({ position, label }) => [position.line, label]).toSorted()).toEqual(
    [
      [lineOf('approvals:'), '36 hours'],
      [lineOf('  lookup:'), 'asks crm.read'],
      [lineOf('name: id'), 'required'],
      [lineOf('default: 2'), 'the history'],
      [lineOf('  report:'), 'asks crm.read and crm.report'],
      [lineOf('name: id') + 16, 'required'],
    ].toSorted(),
  )
})

async function complete(text: string, marked: string): Promise<readonly CompletionItem[]> {
  await editor.open(uri, text)
  return (await request(CompletionRequest.type, at(text, marked))) as CompletionItem[]
}
const completed = (text: string, item: CompletionItem | undefined) => edited(text, [item!.textEdit as TextEdit])

it.each([
  ['find: { id: $.in|put.id }', '$.input.id', 'find: { id: $.input.id }'],
  ['find: { id: $.|input.id }', '$.input.id', 'find: { id: $.input.id }'],
  ['"$.steps.find.output.|account"', '$.steps.find.output.account', 'account: "$.steps.find.output.account"'],
  ['minimum_scope: [crm.r|ead]', 'crm.report', 'minimum_scope: [crm.report]'],
])('writes the whole word anew: dots and $ do not double in %s', async (marked, label, wanted) => {
  const items = await complete(TEXT, marked)
  expect(completed(TEXT, items.find((item) => item.label === label))).toContain(wanted) // prettier-ignore
})

it('completes the names that fit: inputs of the step, steps, logged inputs', async () => {
  const labels = async (from: string, to: string, marked: string) =>
    (await complete(TEXT.replace(from, to), marked)).map(({ label }) => label)
  expect(await labels('find: { id:', 'find: { de:', '{ de|:')).toEqual(['id', 'depth'])
  uri += '2'
  expect(await labels("['id']", '[x]', '[x|]')).toEqual(['id', 'depth'])
  uri += '3'
  expect(await labels('        find: {', '        fi: {', '        f|i: {')).toEqual(['find'])
})

it('writes only the name of a key that has its colon', async () => {
  const items = await complete(TEXT, 'cont|ract_version')
  expect(items.every(({ textEdit }) => !(textEdit as TextEdit).newText.includes(':'))).toBe(true)
})

it('offers blocks to go on in: a capability, an input, an approval', async () => {
  const blocks = async (text: string, marked: string) =>
    (await complete(text, marked)).filter(({ kind }) => kind === 15).map(({ label, textEdit }) => [label, (textEdit as TextEdit).newText]) // prettier-ignore
  const [capability] = await blocks(TEXT.replace('  lookup:', '  look\n  lookup:'), '  look|\n')
  expect(capability?.[0]).toBe('a capability that reads')
  expect(capability?.[1]).toMatch(
    /^\$\{1:search_things\}:\n {2}description: \$\{2:.*\n {2}contract_version: 1\.0\.0\n/u,
  )
  uri += '2'
  const [input] = await blocks(TEXT.replace('      - name: depth', '      - na\n      - name: depth'), '- na|\n')
  expect(input).toEqual(['an input', 'name: ${1:name}\ntype: ${2:string}\ndescription: ${3:What it is.}'])
  uri += '3'
  const [approval] = await blocks(TEXT.replace('    observ', '    app\n    observ'), '    app|\n')
  expect(approval?.[0]).toBe('approval: a person approves each call')
  expect(approval?.[1]).toContain(
    'approval:\n  required: always\n  grant_policy:\n    allowed_grant_types: [one_time]\n',
  )
})

it('tells of a proposal that is looked at: a field, a word, a capability', async () => {
  const resolve = async (text: string, marked: string, label: string) => {
    const found = (await complete(text, marked)).find((item) => item.label === label)!
    return ((await request(CompletionResolveRequest.type, found)).documentation as MarkupContent).value
  }
  expect(await resolve(TEXT.replace('    observ', '    app\n    observ'), '    app|\n', 'approval')).toContain(
    '**At run time**: ',
  )
  uri += '2'
  expect(await resolve(TEXT, 'capability: loo|kup', 'lookup')).toContain('- asks: `crm.read`')
})

it('shows the capability that a reference names, the step, and the input, as text and not as markup', async () => {
  await editor.open(uri, TEXT)
  const shown = async (marked: string) => ((await request(HoverRequest.type, here(marked)))!.contents as MarkupContent).value // prettier-ignore
  expect(await shown('capability: loo|kup')).toContain(
    '**lookup** (Look an account up)\n\nLooks \\*one\\* account up by its id.\n\n- effect: `read`\n- asks: `crm.read`\n- inputs: `id`, `depth`\n- output: `account`',
  )
  expect(await shown('$.steps.fi|nd')).toContain('**lookup**')
  expect(await shown('{ i|d: $.input')).toContain('**id**: `string`\n\nWhich account.')
})

it('finds what the open manifests declare by some of its letters', async () => {
  await editor.open(uri, TEXT.replaceAll('lookup', 'look_this_up'))
  await request(HoverRequest.type, here('ca|pabilities:'))
  const found = (await request(WorkspaceSymbolRequest.type, { query: 'LTU' })) ?? []
  expect(found.map(({ name, location }) => [name, location.uri])).toEqual([['look_this_up', uri]])
})

const WRONG = TEXT.replace('type: read', 'type: READ').replace('PT36H', '36h')
const everything = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } }

it('fixes all that is safe in one action, whose edit is made when it is chosen', async () => {
  await editor.open(uri, WRONG)
  const params = { textDocument: { uri }, range: everything }
  const offered = (await request(CodeActionRequest.type, { ...params, context: { diagnostics: [] } })) as CodeAction[]
  const action = offered.find(({ kind }) => kind === 'source.fixAll.svc')!
  expect(action.edit).toBe(undefined)
  const { edit } = await request(CodeActionResolveRequest.type, action)
  expect(edited(WRONG, edit!.changes![uri])).toBe(TEXT)
  const context = { diagnostics: [], only: ['source.fixAll'] }
  const [onSave, ...others] = (await request(CodeActionRequest.type, { ...params, context })) as CodeAction[]
  expect(edited(WRONG, onSave!.edit!.changes![uri])).toBe(TEXT)
  expect(others).toEqual([])
})

const LINTED = TEXT.replace('Looks *one* account up by its id.', 'Account.')

it('suppresses a warning with a reason, where the cursor is; and no error', async () => {
  await editor.open(uri, LINTED)
  await expect.poll(() => editor.diagnostics(uri)?.map(({ severity }) => severity)).toEqual([2])
  const [{ code } = { code: '' }] = editor.diagnostics(uri)!
  const params = { textDocument: { uri }, range: everything, context: { diagnostics: [] } }
  const offered = (await request(CodeActionRequest.type, params)) as CodeAction[]
  const action = offered.find(({ title }) => title.startsWith(`Suppress ${code}`))!
  const [change] = action.edit!.documentChanges as { edits: { range: Range; snippet: { value: string } }[] }[]
  const [{ range, snippet } = { range: everything, snippet: { value: '' } }] = change!.edits
  expect(snippet.value).toBe(`    # svc-disable-next-line ${code} -- \${1:why}\n`)
  const after = edited(LINTED, [{ range, newText: snippet.value.replace('${1:why}', 'it is known') }])
  await editor.edit(uri, everything, after)
  await expect.poll(() => editor.diagnostics(uri)).toEqual([])
  uri += '2'
  await editor.open(uri, WRONG)
  const ofErrors = (await request(CodeActionRequest.type, { ...params, textDocument: { uri } })) as CodeAction[]
  expect(ofErrors.filter(({ title }) => title.startsWith('Suppress'))).toEqual([])
})

it('has a page for each code', async () => {
  await editor.open(uri, WRONG)
  await expect.poll(() => editor.diagnostics(uri)?.[0]?.codeDescription?.href).toMatch(/^file:.*\/docs\/reference\/rules\/[\w-]+\.md$/u)
}) // prettier-ignore
