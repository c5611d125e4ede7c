import { expect, it } from 'vitest'
import { check } from '../../src/compiler/check.js'
import { BUY } from '../reference/buy.js'

const COST = `    cost:
      certainty: dynamic
      financial: { currency: EUR, upper_bound: 5000, x-amount-input: limit }
`
const ESTIMATED =
  'cost: { certainty: estimated, financial: { currency: EUR, range_min: 1, range_max: 5000 }, determined_by: quote_id }'
const BINDING =
  '    requires_binding: [{ type: purchase_quote, field: quote_id, source_capability: quote_purchase, max_age: PT15M }]\n'
const APPROVAL = /^ {4}approval:\n(?: {6}.*\n)+/mu
const FOR_STEPS =
  'Its steps fix the price after the call has begun: declare `certainty: dynamic` with the most that they cost together as ' +
  '`upper_bound`, which every budget must then cover; or add `x-amount-input: limit` and a required number `limit`, by which ' +
  'the caller says the most that this call may cost.'

/** What is found in the example with other texts in it. */
function found(...changes: readonly (readonly [string | RegExp, string])[]): readonly string[] {
  const text = changes.reduce((now, [before, after]) => {
    expect(now).toMatch(before)
    return now.replace(before, () => after)
  }, BUY)
  return check([{ file: 'svc.yaml', text }]).diagnostics.map(({ code, message }) => `${code} ${message}`)
}

it('says what a composition declares whose steps fix the price after it has begun', () => {
  expect(found([COST, ''])).toContain(
    `SVC4404 The step \`place_purchase\` costs money, and the parent declares no cost: no budget is checked. ${FOR_STEPS}`,
  )
})

it('says the sum, where each step has a fixed price', () => {
  const fixed = 'cost: { certainty: fixed, financial: { currency: EUR, amount: 12.5 } }'
  expect(found([COST, ''], [ESTIMATED, fixed], [BINDING, ''])).toContain(
    'SVC4404 The step `place_purchase` costs money, and the parent declares no cost: no budget is checked. Write ' +
      '`cost: { certainty: fixed, financial: { currency: EUR, amount: 12.5 } }`.',
  )
})

it('adds nothing up in two currencies', () => {
  const fixed = 'cost: { certainty: fixed, financial: { currency: EUR, amount: 12.5 } }'
  const priced = `  quote_purchase:\n    ${fixed.replace('EUR', 'USD')}\n`
  expect(found([COST, ''], [ESTIMATED, fixed], [BINDING, ''], [/^ {2}quote_purchase:\n/mu, priced])).toContain(
    `SVC4404 The step \`quote_purchase\` costs money, and the parent declares no cost: no budget is checked. ${FOR_STEPS}`,
  )
})

it('says so of an estimate, too, which a composition has no binding for', () => {
  const estimated = '    cost: { certainty: estimated, financial: { currency: EUR, range_min: 1, range_max: 5000 } }\n'
  expect(found([COST, estimated])).toContain(
    `SVC2504 \`estimated\` without \`requires_binding\`: every call with a budget ends in budget_not_enforceable. ${FOR_STEPS}`,
  )
})

it('takes an input for used that says the most', () => {
  expect(found([', x-amount-input: limit', ''])).toEqual(['SVC4116 The input `limit` is not used by any mapping.'])
})

it('wants a composition to be controlled, or its irreversible steps', () => {
  const message =
    '`irreversible`, with neither `approval` nor `stronger_delegation_required` nor `requires_principal`; control it'
  expect(found([APPROVAL, ''])).toEqual([`SVC6001 ${message}.`, `SVC6001 ${message}, or its irreversible steps.`])
  expect(found([APPROVAL, '    requires_principal: human\n'])).toEqual([])
})
