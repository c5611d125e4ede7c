import { expect, it } from 'vitest'
import { check } from '../../../src/compiler/check.js'

const manifest = (field: string): string => `manifest_metadata: { version: "0.24.0" }
service_identity: { id: crm }
trust: { level: signed }
capabilities:
  lookup:
    ${field}
    contract_version: 1.0.0
`

/** Where the first finding stands, what it says, and where the parser noticed. */
function syntaxIn(text: string): readonly unknown[] {
  const found = check([{ file: 'svc.yaml', text }]).diagnostics.find(({ code }) => code === 'SVC0101')
  const { start } = found!.range
  return [`${start.line}:${start.column}`, found!.message, ...found!.related.map(({ range }) => range.start.line)]
}

it.each([
  ['minimum_scope: [crm.read', '6:20', '[', 7],
  ['side_effect: { type: read', '6:18', '{', 7],
  ['output: { type: a, fields: [a]', '6:13', '{', 7],
  ['description: "Looks up', '6:18', '"', 7],
  ["description: 'It''s one", '6:18', "'", 7],
  ['minimum_scope: [\n      "a]", # ]\n      b,', '6:20', '[', 9],
  ['inputs:\n      - [a', '7:9', '[', 8],
])('places %j at what was opened', (field, place, mark, noticed) => {
  expect(syntaxIn(manifest(field))).toEqual([place, `This \`${mark}\` is never closed.`, noticed])
})

it('says that a reference without quotes is a comment', () => {
  expect(syntaxIn(manifest('output: { type: a, x: { $ref: #/x-schemas/Name } }'))[1]).toBe(
    "This `{` is never closed. A `#` after a space begins a comment: write `'#/x-schemas/Name'`, in quotes.",
  )
})

it('places it there at the end of the file, too', () => {
  expect(syntaxIn('trust: { level: signed\n')).toEqual(['1:8', 'This `{` is never closed.', 2])
})

it('does not blame a bracket that is closed', () => {
  expect(syntaxIn(manifest('minimum_scope: [\n    crm.read\n    ]'))).toEqual([
    '7:5',
    'This line must be indented deeper than the key that it belongs to.',
  ])
})

it('blames the tab at which a text begins', () => {
  const { diagnostics } = check([{ file: 'svc.yaml', text: '\tx: 1\n' }])
  expect(diagnostics.map(({ code, range }) => `${code} ${range.start.line}:${range.start.column}`)).toEqual([
    'SVC0102 1:1',
  ])
})
