/** Each answer that an editor gets, at each word of a manifest that names everything that has a name. */
import type { Hover, Location, Position, Range, WorkspaceEdit } from 'vscode-languageserver-protocol/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { editorInside, type EditorInside } from './editor-inside.js'

const TEXT = `# yaml-language-server: $schema=./manifest.schema.json
# Two lines
# of comment.
manifest_metadata: { version: "0.24.0" }
service_identity: { id: shop }
trust: { level: signed }
approvals: { approver_scope: "approver:order", request_ttl: PT36H }
capabilities:
  quote:
    x-title: Quote an order
    description: "Gives the price of *one* order - [now](a)!"
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [shop.read]
    inputs:
      - name: item
        type: string
        description: What is ordered.
    output: { type: order_quote, fields: [quote_id, { name: price, type: number }] }
  order:
    description: Orders what was quoted.
    contract_version: 1.0.0
    side_effect: { type: transactional, rollback_window: P1DT1H, compensation: cancel }
    minimum_scope: [shop.read, "shop.order"]
    inputs:
      - name: quote_id
        type: string
        description: Which quote.
      - name: speed
        type: integer
        default: 2
        description: How fast.
        input_meanings: { "1": slowly, "2": in a day }
      - name: within
        type: duration
        default: PT1H30M
        description: In which time.
      - name: wrapping
        type: string
        default: paper
        description: In what.
        input_meanings: [{ value: paper, label: in paper, description: Brown. }]
    cost: { certainty: estimated, determined_by: quote, financial: { currency: EUR, range_min: 1, range_max: 9, x-amount-input: speed } }
    requires: [{ capability: quote, reason: It needs a price. }]
    requires_binding: [{ type: order_quote, field: quote_id, source_capability: quote, max_age: PT15M }]
    approval:
      required:
        when: [{ input: speed, operator: '>', value: 1 }]
      grant_policy: { allowed_grant_types: [one_time], default_grant_type: one_time, expires_in_seconds: 900, max_uses: 1 }
    x-exclusive-by: [quote_id]
    refresh_via: [quote]
    verify_via: ['quote']
    output: { type: order, fields: [order_id] }
    observability: { logged: true, retention: P90D, fields_logged: [quote_id, 'speed'] }
  cancel:
    description: Cancels an order.
    contract_version: 1.0.0
    side_effect: { type: write }
    minimum_scope: []
    inputs: [{ name: order_id, type: string, required: false, description: Which. }]
    approval: { required: always }
    output: { type: order, fields: [order_id] }
  buy:
    description: Quotes and orders.
    contract_version: 1.0.0
    kind: composed
    side_effect: { type: write }
    minimum_scope: [shop.read, shop.order]
    inputs:
      - { name: item, type: string, description: What is ordered. }
      - { name: shop, type: string, description: "Which: [one](x) & <b>!", resolution: { mode: explicit_only } }
    output: { type: order, fields: [order_id] }
    composition:
      authority_boundary: same_service
      steps:
        - { id: price, capability: quote, empty_result_source: true, empty_result_path: $.quote_id }
        - { id: buy, capability: order }
      input_mapping:
        price: { item: $.input.item }
        buy: { quote_id: "$.steps.price.output.quote_id" }
      x-literals:
        buy: { speed: 2 }
      output_mapping:
        order_id: $.steps.buy.output.order_id
      empty_result_policy: return_success_no_results
      empty_result_output:
        order_id: $.input.item
      failure_policy: propagate
      audit_policy: { record_child_invocations: true, parent_task_lineage: true }
# One more,
# of two lines.
$schema: ./other.schema.json
x-schemas:
  Line: { items: { $ref: './line.yaml' } }
`
const uri = 'file:///service/svc.yaml'
const textDocument = { uri }
const document = TextDocument.create(uri, 'yaml', 1, TEXT)

let editor: EditorInside
beforeAll(async () => {
  editor = await editorInside({
    workspace: { workspaceEdit: { documentChanges: true, snippetEditSupport: true } },
    textDocument: {
      completion: { completionItem: { snippetSupport: true } },
      codeAction: { resolveSupport: { properties: ['edit'] } },
    },
  })
  await editor.open(uri, TEXT)
})
afterAll(async () => {
  expect(await editor.close()).toBe(true)
})

/** The words of the manifest; of a path each part. */
const WORDS = [...TEXT.matchAll(/[^\s{}[\],.$]+/gu)].map(({ 0: word, index }) => ({
  word,
  start: document.positionAt(index),
  middle: document.positionAt(index + Math.floor(word.length / 2)),
}))
const shown = ({ line, character }: Position): string => `${line + 1}:${character + 1}`
const span = ({ start, end }: Range): string =>
  start.line === end.line ? `${shown(start)}-${end.character + 1}` : `${shown(start)}-${shown(end)}`
const asked = <Answer>(method: string, position: Position, more: object = {}) =>
  editor.ask<Answer | null>(`textDocument/${method}`, { textDocument, position, ...more })

it('what each word names, where that is declared and used, and what it would be renamed to', async () => {
  const lines: string[] = []
  for (const { word, start, middle } of WORDS) {
    const used = (await asked<{ range: Range; kind: number }[]>('documentHighlight', middle)) ?? []
    const defined = await asked<Location>('definition', middle)
    const prepared = await asked<{ range: Range; placeholder: string }>('prepareRename', middle)
    const renamed = await asked<WorkspaceEdit>('rename', middle, { newName: 'renamed_so' })
    const read = (await asked<Location[]>('references', middle, { context: { includeDeclaration: false } })) ?? []
    if (used.length === 0 && defined === null && prepared === null) continue
    const parts = [
      `declared ${defined === null ? 'nowhere' : span(defined.range)}`,
      `written ${used.map(({ range, kind }) => `${span(range)}${kind === 3 ? '!' : ''}`).join(' ')}`,
      `read ${read.length} times`,
      `renamed ${prepared === null ? 'never' : `${prepared.placeholder} at ${span(prepared.range)}`}`,
      `in ${(renamed?.changes?.[uri] ?? []).length} places`,
    ]
    lines.push(`${shown(start)} ${word}: ${parts.join(', ')}\n`)
  }
  await expect(lines.join('')).toMatchFileSnapshot('lsp-whole/names.txt')
})

it('what is shown of each word', async () => {
  const places = new Map<string, string[]>()
  for (const { word, start, middle } of WORDS) {
    const hover = await asked<Hover>('hover', middle)
    const text = hover === null ? 'nothing' : (hover.contents as { readonly value: string }).value
    places.set(text, [...(places.get(text) ?? []), `${shown(start)} ${word}`])
  }
  const pages = [...places].map(([text, words]) => `=== ${words.join(', ')}\n${text}\n`)
  await expect(pages.join('\n')).toMatchFileSnapshot('lsp-whole/hover.txt')
})

it('which words may stand in the place of each word', async () => {
  const places = new Map<string, string[]>()
  for (const { word, start } of WORDS) {
    const items = (await asked<{ readonly label: string }[]>('completion', start)) ?? []
    const labels = items.map(({ label }) => label).join(', ')
    places.set(labels, [...(places.get(labels) ?? []), `${shown(start)} ${word}`])
  }
  const lists = [...places].map(([labels, words]) => `=== ${words.join(' · ')}\n${labels}\n`)
  await expect(lists.join('\n')).toMatchFileSnapshot('lsp-whole/completion.txt')
})

it.each([
  ['outline', 'documentSymbol', {}],
  ['folds', 'foldingRange', {}],
  ['links', 'documentLink', {}],
  ['hints', 'inlayHint', { range: { start: { line: 0, character: 0 }, end: { line: 999, character: 0 } } }],
  ['tokens', 'semanticTokens/full', {}],
] as const)('the %s of a manifest', async (name, method, more) => {
  const answer = await editor.ask<unknown>(`textDocument/${method}`, { textDocument, ...more })
  await expect(
    `${JSON.stringify(answer, (key, value) => (key === 'resultId' ? undefined : value), 1).replaceAll(/\n +(?=[\d}\]"])/gu, ' ')}\n`,
  ).toMatchFileSnapshot(`lsp-whole/${name}.txt`)
})
