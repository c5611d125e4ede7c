import { expect, it } from 'vitest'
import { check } from '../../../src/compiler/check.js'

const HEAD = `manifest_metadata: { version: "0.24.0" }
service_identity: { id: crm }
trust: { level: signed }
capabilities:
`
const capability = (name: string, more = '') => `  ${name}:
    description: Looks an account up through ${name}.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [crm.read]
    inputs: []
    output: { type: account, fields: [account] }
${more}`

const found = (text: string) =>
  check([{ file: 'svc.yaml', text }]).diagnostics.map(({ code, range }) => `${range.start.line} ${code}`)

it('reads the capabilities beside one that is not YAML', () => {
  const text =
    HEAD +
    capability('one', '    refresh_via: [two\n') +
    capability('two', '    refresh_via: [one]\n    nonsense_here: []\n') +
    capability('three', '    requires: [{ capability: nine, reason: It is first. }]\n')
  expect(found(text)).toEqual(['12 SVC0101', '21 SVC0202', '29 SVC3001'])
})

it('tells two syntax errors in two capabilities', () => {
  const text =
    HEAD + capability('one', '    refresh_via [two]\n') + capability('two') + capability('three', '\tcost: {}\n')
  expect(found(text)).toEqual(['12 SVC0101', '27 SVC0102'])
})

it('tells a syntax error in the first capability and in the last, and reads what is between', () => {
  const text =
    HEAD +
    capability('one', '    refresh_via [two]\n') +
    capability('two', '    nonsense_here: []\n') +
    capability('three', '    cost: {}}\n')
  expect(found(text)).toEqual(['12 SVC0101', '20 SVC0202', '28 SVC0101'])
})

it('reads the capabilities beside one with a line that begins with a tab', () => {
  const text =
    HEAD +
    capability('one', '\trefresh_via: [two]\n') +
    capability('two', '    nonsense_here: []\n') +
    capability('three', '    requires: [{ capability: nine, reason: It is first. }]\n')
  expect(found(text)).toEqual(['12 SVC0102', '20 SVC0202', '28 SVC3001'])
})

it('reads the rest beside a top-level field that is not YAML', () => {
  expect(found(`${HEAD.replace('id: crm }', 'id: crm ]')}${capability('one', '    nonsense_here: 1\n')}`)).toEqual([
    '2 SVC0101',
    '12 SVC0202',
  ])
})

it('tells one error where it cannot go on', () => {
  expect(found(`${HEAD}${capability('one').replace('description: Looks', 'description: "Looks')}`)).toHaveLength(1)
})

it('ends, and says what is wrong, where a blank line comes first', () => {
  const { diagnostics } = check([
    { file: 'svc.yaml', text: '\nschema=./a\ntrust: { level: "0.2: { id: crm }\ncapabilities: {}\n' },
  ])
  expect(diagnostics.map(({ code }) => code)).toContain('SVC0101')
})
