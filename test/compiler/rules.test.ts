import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { check } from '../../src/compiler/check.js'

/** Branches of rules that their case directories have no room for. */

const approval = readFileSync('test/rules/approvals/approval-input-unknown/good.yaml', 'utf8')
const composition = readFileSync('test/rules/composition/parent-cost-currency/good.yaml', 'utf8')
const messagesOf = (text: string, code: string): readonly string[] =>
  check([{ file: 'svc.yaml', text }])
    .diagnostics.filter((each) => each.code === code)
    .map(({ message }) => message)

it.each([
  ['integer', 'above: 500', []],
  ['integer', 'above: 1.5', ['The value 1.5 does not fit the type `integer` of `amount`.']],
  ['number', 'equals: many', ['The value "many" does not fit the type `number` of `amount`.']],
  ['date', 'at_least: 2026-01-01', []],
  ['date', 'at_least: tomorrow', ['The value "tomorrow" does not fit the type `date` of `amount`.']],
  ['duration', 'below: PT5M', []],
  ['duration', 'below: 5', ['The value 5 does not fit the type `duration` of `amount`.']],
  ['boolean', 'equals: true', []],
  ['boolean', 'above: true', ['`amount` is of the type `boolean`, which has no order; compare it with `equals` or `in`.']],
  ...(['at_least', 'below', 'at_most'] as const).map((comparison) => ['boolean', `${comparison}: true`, ['`amount` is of the type `boolean`, which has no order; compare it with `equals` or `in`.']] as const),
  ['string', 'in: [a, 1, b, 2]', ['The value 1 does not fit the type `string` of `amount`.', 'The value 2 does not fit the type `string` of `amount`.']],
  ['any', 'in: [a, 1]', []],
] as const)('SVC7015: a %s compared by `%s`', (type, comparison, messages) => {
  const text = approval.replace('type: integer', `type: ${type}`).replace('above: 500', comparison)
  expect(messagesOf(text, 'SVC7015')).toEqual(messages)
}) // prettier-ignore

it.each(['amount', 'upper_bound', 'range_min', 'range_max', 'typical'])('SVC2514: the decimals of `%s`', (field) => {
  const text = readFileSync('test/rules/cost/currency-minor-units/good.yaml', 'utf8')
  const [whole, broken] = ['10', '10.5'].map((amount) => text.replace('amount: 10', `${field}: ${amount}`))
  expect(messagesOf(whole!, 'SVC2514')).toEqual([])
  expect(messagesOf(broken!, 'SVC2514')).toEqual([expect.stringMatching(/^JPY has 0 decimals; 10\.5 is no whole number/u)])
}) // prettier-ignore

it('SVC5004: a resolver that looks random', () => {
  const text = readFileSync('test/rules/text/secret-high-entropy/svc.yaml', 'utf8')
  const resolved = text.replace(/catalog_ref: (\w+)/u, 'resolution: { mode: backend_resolved, resolver_ref: $1 }')
  expect(messagesOf(resolved, 'SVC5004')).toEqual([
    expect.stringMatching(/^The reference looks random \(5\.0 bits a character, 32 characters\)/u),
  ])
})

it('SVC4406: steps cost in one currency, whatever the parent says', () => {
  const second = composition
    .replace(
      /^( {2}lookup:[^]*?)(?=^ {2}\w)/mu,
      (one) => one + one.replace('lookup', 'other').replace(/USD|EUR/u, 'CHF'),
    )
    .replace(
      'steps: [{ id: find, capability: lookup }]',
      'steps: [{ id: find, capability: lookup }, { id: more, capability: other }]',
    )
  const [before, report] = second.split(/^ {2}report:/mu)
  const text = `${before}  report:${report!.replace(/^ {4}cost:.*\n/mu, '')}`
  expect(messagesOf(text, 'SVC4406')).toEqual([
    expect.stringMatching(/^The step `other` costs CHF, the step `lookup` (?:USD|EUR); no budget covers both\.$/u),
  ])
})

it.each([
  ['{ default_ttl_hours: 24 }', 0],
  ['{ default_ttl_hours: 24.5 }', 1],
  ['{ max_ttl_hours: 1 }', 1],
  ['{ max_ttl_hours: 72, default_ttl_hours: 48 }', 0],
  ['{ max_ttl_hours: -1 }', 0],
])('SVC1017: limits of %s', (limits, findings) => {
  const text = approval.replace('trust:', `limits: ${limits}\ntrust:`)
  expect(messagesOf(text, 'SVC1017')).toHaveLength(findings)
})

it.each(['deny', 'clarify'])('SVC4203: what the policy %s forbids is told of once', (policy) => {
  const forbidden = readFileSync('test/rules/composition/empty-output-unexpected/svc.yaml', 'utf8')
  const text = forbidden.replace('policy: deny', `policy: ${policy}`)
  const codes = (output: string): readonly string[] =>
    check([{ file: 'svc.yaml', text: text.replace('{ account: none }', output) }]).diagnostics.map(({ code }) => code)
  expect([codes('{}'), codes('{ acount: none }')]).toEqual([['SVC4203'], ['SVC4203']])
})

it.each([
  ['$.steps.fnd.output.account', 'SVC4106', 'There is no step `fnd`. Did you mean `find`?'],
  ['$.steps.find.output.acount', 'SVC4109', '`lookup` has no output field `acount`. Did you mean `account`?'],
  ['$.input.account', 'SVC4105', 'The parent has no input `account`.'],
] as const)('an empty-result output that reads %s names what is declared', (path, code, message) => {
  const text = readFileSync('test/rules/composition/empty-output-field-unknown/good.yaml', 'utf8')
  const { diagnostics } = check([
    { file: 'svc.yaml', text: text.replace(/empty_result_output: .*/u, `empty_result_output: { account: ${path} }`) },
  ])
  expect(diagnostics.map((each) => [each.code, each.message])).toEqual([[code, message]])
})

it.each([
  ['integer', 'number', 0],
  ['number', 'integer', 1],
  ['integer', 'string', 1],
  ['boolean', 'sku', 1],
  ['date', 'string', 0],
  ['sku', 'string', 0],
  ['string', 'sku', 0],
  ['string', 'date', 1],
  ['object', 'any', 0],
] as const)('SVC4110: a parent input of type %s feeds one of type %s', (from, to, findings) => {
  const [child, parent] = readFileSync('test/rules/composition/mapping-type/svc.yaml', 'utf8').split('  report:\n')
  const text = `${child!.replace(/type: \w+,(?= desc)/u, `type: ${to},`)}  report:\n${parent!.replace(/type: \w+,(?= desc)/u, `type: ${from},`)}`
  expect(messagesOf(text, 'SVC4110')).toHaveLength(findings)
})
