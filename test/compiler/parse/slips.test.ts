import { expect, it } from 'vitest'
import { check } from '../../../src/compiler/check.js'

const TEXT = `manifest_metadata: { version: "0.24.0" }
service_identity:
  id: crm
trust:
  level: signed
capabilities:
  lookup:
    description: Looks an account up by its id.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope:
      - crm.read
    inputs: []
    output: { type: account, fields: [account] }
`
const QUOTE = 'A text with a `:` and a space in it must be quoted.'
const FOLLOWS = 'Nothing but a comment may follow a quoted text; remove this.'

it.each([
  ['Looks an account up by its id.', 'Returns: an account', 'Returns: an account', QUOTE],
  ['signed', ': signed', ': signed', QUOTE],
  ['- crm.read', '- crm: read: all', 'read: all', QUOTE],
  [
    'Looks an account',
    '@Looks an account',
    '@Looks an account up by its id.',
    'A text cannot begin with `@`; quote it.',
  ],
  ['Looks an account', '`Looks` an', '`Looks` an up by its id.', 'A text cannot begin with ```; quote it.'],
  ['id: crm', '"id": "crm",', ',', FOLLOWS],
  ['crm.read', "'crm.read' or more", 'or more', FOLLOWS],
  ['minimum_scope:', 'minimum_scope', 'minimum_scope', 'A `:` is missing after `minimum_scope`.'],
  [
    '    contract_version: 1.0.0\n',
    '<<<<<<< HEAD\n    contract_version: 1.0.0\n=======\n    contract_version: 1.1.0\n>>>>>>> other\n',
    '<<<<<<< HEAD',
    'This is the mark of a merge conflict; settle it.',
  ],
])('%s written as %j', (find, wrong, marked, message) => {
  const text = TEXT.replace(find, wrong)
  const { diagnostics } = check([{ file: 'svc.yaml', text }], { preset: 'minimal' })
  expect(
    diagnostics.map(({ range, ...each }) => [
      each.code,
      text.slice(range.start.offset, range.end.offset),
      each.message,
    ]),
  ).toEqual([['SVC0101', marked, message]])
})
