import { expect, it } from 'vitest'
import { check } from '../../src/compiler/check.js'

const TEXT = `manifest_metadata: { version: "0.24.0" }
service_identity: { id: crm }
trust: { level: signed }
capabilities:
  change:
    description: AT THE TOP
    contract_version: 1.0.0
    side_effect: { type: write }
    minimum_scope: [crm.write]
    inputs:
      - { name: account, type: string, description: OF AN INPUT }
    output: { type: account, fields: [account, { name: state, type: string, description: OF A FIELD }] }
    requires:
      - { capability: change, reason: OF A NEED }
    business_effects: { produces: [audit_trail, EFFECT], does_not_produce: [EMAIL, NO EFFECT] }
`

/** Rules about texts read each of them: here, the one about markup. */
it.each([
  ['AT THE TOP', 6],
  ['OF AN INPUT', 11],
  ['OF A FIELD', 12],
  ['OF A NEED', 14],
  ['NO EFFECT', 15],
  ['[audit_trail, EFFECT]', 15],
])('the text %s is read', (place, line) => {
  const text = TEXT.replace(place, (found) => found.replace(/[A-Z ]+(?=\]?$)/u, ' "a <script>"').trimStart())
  const { diagnostics } = check([{ file: 'svc.yaml', text }])
  const found = diagnostics.filter(({ code }) => code === 'SVC5105')
  expect(found.map(({ message, range }) => [message, range.start.line])).toEqual([
    ['The text holds `<script`, which tools may render; write plain text.', line],
  ])
})
