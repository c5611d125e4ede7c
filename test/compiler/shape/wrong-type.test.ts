import { expect, it } from 'vitest'
import { check } from '../../../src/compiler/check.js'
import { applyFixes } from '../../../src/compiler/fix/apply-fixes.js'

const TEXT = `manifest_metadata: { version: "0.24.0" }
service_identity: { id: crm }
trust: { level: signed }
capabilities:
  change:
    description: Changes the account and returns its new state.
    contract_version: 1.0.0
    side_effect: { type: write }
    minimum_scope: [crm.write]
    inputs: []
    output: { type: account, fields: [account] }
    business_effects: { produces: [invoice] }
    verify_via: [change]
`
const source = (find: string, wrong: string) => ({ file: 'svc.yaml', text: TEXT.replace(find, wrong) })

it.each([
  [
    '{ type: write }',
    '\n      type:write',
    'SVC2009 `side_effect` must be a mapping; a `:` and a space are missing after `type`.',
    'type: write',
  ],
  [
    '{ level: signed }',
    '\n  level = signed',
    'SVC0203 `trust` must be a mapping; a `:` and a space are missing after `level`.',
    'level: signed',
  ],
  [
    '{ level: signed }',
    '\n  level => signed',
    'SVC0203 `trust` must be a mapping; a `:` and a space are missing after `level`.',
    'level: signed',
  ],
  [
    '{ level: signed }',
    '\n  level;signed',
    'SVC0203 `trust` must be a mapping; a `:` and a space are missing after `level`.',
    'level: signed',
  ],
  [
    '{ level: signed }',
    '\n  level：signed',
    'SVC0203 `trust` must be a mapping; a `:` and a space are missing after `level`.',
    'level: signed',
  ],
  [
    '{ level: signed }',
    '\n  level:\u00A0signed',
    'SVC0203 `trust` must be a mapping; a `:` and a space are missing after `level`.',
    'level: signed',
  ],
  [
    '[crm.write]',
    '\n      -crm.write',
    'SVC0213 `minimum_scope` must be a list; a space is missing after the `-` of its item.',
    '- crm.write',
  ],
  [
    '{ produces: [invoice] }',
    '{ produces: -invoice }',
    'SVC0213 `produces` must be a list; a space is missing after the `-` of its item.',
    '- invoice',
  ],
])('%s written as %j', (find, wrong, message, suggestion) => {
  const sources = [source(find, wrong)]
  const { diagnostics } = check(sources, { preset: 'minimal' })
  const found = diagnostics.filter(({ code }) => code !== 'SVC3012')
  expect(found.map((each) => [`${each.code} ${each.message}`, each.suggestion])).toEqual([[message, suggestion]])
  expect(applyFixes(sources, {})).toEqual(sources)
})

it('still offers brackets around a text that is no item', () => {
  const [fixed] = applyFixes([source('[crm.write]', 'crm.write')], {})
  expect(fixed!.text).toBe(TEXT)
})
