import { expect, it } from 'vitest'
import { check } from '../../../src/compiler/check.js'
import { applyFixes } from '../../../src/compiler/fix/apply-fixes.js'
import { textReport } from '../../../src/compiler/report/text.js'

const HEAD = `manifest_metadata: { version: '0.24.0' }
service_identity: { id: crm }
trust: { level: signed }
capabilities:
`

/** A capability that changes something, verifies nothing and logs nothing, its fields out of order. */
const change = (name: string): string => `  ${name}:
    contract_version: 1.0.0
    description: Changes the account, the way of ${name}, and returns its new state.
    side_effect: { type: write }
    minimum_scope: [crm.write]
    inputs: [{ name: account, type: string, description: The account. }]
    output: { type: account, fields: [account] }
`

const found = (text: string, enable: readonly string[] = []) =>
  check([{ file: 'svc.yaml', text }], { enable }).diagnostics

it('a composition that was not begun is one finding that names what it needs', () => {
  const text = `${HEAD}${change('edit')}    kind: composed\n    composition: {}\n`
  const errors = found(text).filter(({ severity }) => severity === 'error')
  expect(errors.map(({ code, message }) => [code, message])).toEqual([
    [
      'SVC0201',
      'The composition is empty; it needs `authority_boundary`, `steps`, `input_mapping`, `output_mapping`, `failure_policy` and `audit_policy`.',
    ],
  ])
})

it('the order of fields is reported once for a file', () => {
  const order = (names: readonly string[]) =>
    found(HEAD + names.map(change).join(''), ['SVC6109']).filter(({ code }) => code === 'SVC6109')
  expect(order(['one']).map(({ message }) => message)).toEqual(['`description` is out of order. Run `svc fmt`.'])
  expect(order(['one', 'two', 'three']).map(({ message }) => message)).toEqual([
    '`description` is out of order. Run `svc fmt`. There are 2 more in this file.',
  ])
})

it('a report for people shows the first of the findings that say the same, and where the others are', () => {
  const sources = [{ file: 'svc.yaml', text: HEAD + ['one', 'two', 'three'].map(change).join('') }]
  const { diagnostics } = check(sources, {})
  expect(diagnostics.map(({ code }) => code)).toEqual([0, 1, 2].flatMap(() => ['SVC6003', 'SVC6004']))
  const lines = textReport({ sources, diagnostics }, { color: false, summaryOnly: false }).split('\n')
  expect(lines.filter((line) => line.startsWith('svc.yaml') || line.startsWith('  also'))).toEqual([
    'svc.yaml:8:26 warning SVC6003 effect-without-verify',
    '  also at 15:26, 22:26',
    'svc.yaml:8:26 warning SVC6004 effect-without-audit-fields',
    '  also at 15:26, 22:26',
  ])
  expect(lines.at(-2)).toBe('6 warnings in 1 file.')
})

it('a fix writes no comment into JSON', () => {
  const manifest = { manifest_metadata: { version: '0.24.0' }, service_identity: { id: 'crm' }, capabilities: {} }
  const sources = [{ file: 'svc.json', text: `${JSON.stringify(manifest, undefined, 2)}\n` }]
  const [fixed] = applyFixes(sources, { enable: ['SVC6110'] })
  expect(() => JSON.parse(fixed!.text) as unknown).not.toThrow()
  const [yaml] = applyFixes([{ file: 'svc.yaml', text: `${HEAD}${change('edit')}` }], { enable: ['SVC6110'] })
  expect(yaml!.text).toMatch(/^# yaml-language-server: /u)
})

it('what is said once for a file is said for each file', () => {
  const parts = ['a', 'b'].map((name) => ({ file: `${name}.yaml`, text: `capabilities:\n${change(`edit_${name}`)}` }))
  const sources = [
    { file: 'svc.yaml', text: `${HEAD.replace('capabilities:', 'include: [a.yaml, b.yaml]')}` },
    ...parts,
  ]
  const { diagnostics } = check(sources, { enable: ['SVC6109'] })
  expect(diagnostics.filter(({ code }) => code === 'SVC6109').map(({ file }) => file)).toEqual(['a.yaml', 'b.yaml'])
})

it('an error stays one, whatever a configuration says of its code', () => {
  const text = `${HEAD}${change('edit')}    webhooks: 1\n`
  const { diagnostics } = check([{ file: 'svc.yaml', text }], { severities: { SVC0202: 'info' } })
  expect(diagnostics.flatMap(({ code, severity }) => (code === 'SVC0202' ? [severity] : []))).toEqual(['error'])
})

it('an edit that is a guess writes a word in quotes that would be read as something else, and nothing over two lines', () => {
  const text = (logged: string) =>
    `${HEAD}${change('edit').replace('name: account', 'name: "false"')}    x-exclusive-by: [${logged}]\n`
  const edits = (logged: string) =>
    found(text(logged)).flatMap(({ suggestion, fix }) => (suggestion === 'false' ? [fix?.map(({ newText }) => newText)] : [])) // prettier-ignore
  expect([edits('falsee'), edits('"fal\n      see"')]).toEqual([[['"false"']], [undefined]])
})
