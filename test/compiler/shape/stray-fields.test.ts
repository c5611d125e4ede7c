import { expect, it } from 'vitest'
import { check } from '../../../src/compiler/check.js'

const HEAD = `manifest_metadata: { version: "0.24.0" }
service_identity: { id: crm }
trust: { level: signed }
`
const manifest = (field: string): string => `${HEAD}capabilities:
  lookup:
    description: Looks an account up by its id and returns it.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [crm.read]
    inputs: []
    output: { type: account, fields: [account] }
${field}`

const found = (text: string) =>
  check([{ file: 'svc.yaml', text }]).diagnostics.flatMap(({ code, severity, suggestion }) =>
    severity === 'error' ? [suggestion === undefined ? code : `${code} ${suggestion}`] : [],
  )

it.each([
  ['at the top', `${HEAD}capabilitis: 1\n`, ['SVC0202 capabilities']],
  ['with nothing in it', `${HEAD}capabilitis: {}\n`, ['SVC0202 capabilities']],
  ['with no value', `${HEAD}capabilitis:\n`, ['SVC0202 capabilities']],
  ['of a number where a list is meant', manifest('').replace('inputs: []', 'input: 5'), ['SVC0202 inputs']],
  ['of a word where a list is meant', manifest('    refresh_viaa: lookup\n'), ['SVC0202 refresh_via']],
  ['of a list where a mapping is meant', manifest('    approvall: [a]\n'), ['SVC0202 approval']],
  ['of an empty mapping', manifest('    approvall: {}\n'), ['SVC0202 approval']],
  ['of a word that is not allowed', manifest('').replace('{ type: read }', '{ typo: blue }'), ['SVC0202 type']],
  [
    'deeper',
    manifest('    cost: { certainty: fixed, financial: { currencyy: 5, amount: 1 } }\n'),
    ['SVC0202 currency'],
  ],
])('a misspelt field %s is one fault', (_, text, expected) => {
  expect(found(text)).toEqual(expected)
})

it('still tells what stands within the value of a misspelt field, and what is secret', () => {
  expect(found(manifest('').replace('output: { type', 'outputs: { kind: 1, type'))).toEqual([
    'SVC0202 output',
    'SVC0202',
  ])
  expect(
    found(
      manifest('').replace('inputs: []', 'inputs: [{ name: a, type: string, catalog_reff: "postgres://a:b@c/d" }]'),
    ),
  ).toContain('SVC5001')
})

it('tells both faults where only the spelling differs', () => {
  expect(found(`${HEAD}Capabilities: 1\n`)).toEqual(['SVC0211 capabilities', 'SVC1003'])
})
