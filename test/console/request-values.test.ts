/** Values of a request in the inbox: those in which requests differ come first. */
import { expect, it } from 'vitest'
import { sumOf } from '../../src/console/app/words/money.js'
import {
  differencesOf,
  distinctValues,
  groupsOf,
  nameInGroup,
  showsIdsOnly,
  valuesOf,
} from '../../src/console/app/words/request-values.js'
import { asks } from './requests.js'

const price = { currency: 'EUR', amount: 150 }
const move = (patient: string, slot: string) => {
  const { preview: _, ...request } = asks('move', {
    requested_parameters: { reason: 'flu', quote_id: `bnd_${slot}` },
    bound: [{ field: 'quote_id', type: 'quote', price, data: { patient, slot } }],
  })
  return request
}

it('are what was quoted, then the inputs of the caller, then ids', () => {
  expect(valuesOf(move('M. K.', '11:00'))).toEqual([
    ['Patient', 'M. K.'], ['Slot', '11:00'], ['Quoted price', '150.00 EUR'], ['Reason', 'flu'], ['Quote id', 'bnd_11:00'],
  ])
}) // prettier-ignore

it('are first those in which like requests differ, and the amount is not among them', () => {
  const [one, other] = [move('M. K.', '11:00'), move('M. K.', '12:00')]
  expect(distinctValues(one, [one, other])).toEqual([['Slot', '11:00'], ['Quote id', 'bnd_11:00'], ['Patient', 'M. K.']])
  expect(distinctValues(one, [one])).toEqual([['Patient', 'M. K.'], ['Slot', '11:00'], ['Reason', 'flu']])
}) // prettier-ignore

it.each([
  [{ requested_parameters: { quote_id: 'q', id: 'x' } }, true],
  [{ requested_parameters: { quote_id: 'q', city: 'Faro' } }, false],
  [{ requested_parameters: {} }, false],
])('of %j are ids only: %s', (more, expected) => {
  const { preview: _, ...request } = asks('book', more)
  expect(showsIdsOnly(request)).toBe(expected)
})

it('group like requests where the first of them stands', () => {
  const [one, other, third] = [asks('a', { n: 1 }), asks('b'), asks('a', { n: 2 })]
  expect(groupsOf([one, other, third])).toEqual([[one, third], [other]])
})

it('name a request among like ones by what was quoted, never by a value of the caller', () => {
  const [one, other] = [move('M. K.', '11:00'), move('R. S.', '12:00')]
  expect(nameInGroup(one, [one, other])).toBe('M. K. · 11:00')
  const { bound: _, ...unquoted } = one
  expect(nameInGroup(unquoted, [unquoted, other])).toBe('Move')
})

it.each([
  [[price, { currency: 'EUR', amount: 0.1 }, { currency: 'EUR', amount: 0.2 }], { currency: 'EUR', amount: 150.3 }],
  [[price, undefined], undefined],
  [[undefined, price], undefined],
  [[price, { currency: 'USD', amount: 1 }], undefined],
])('cost together, of %j: %j', (costs, expected) => {
  expect(sumOf(costs)).toEqual(expected)
})

it('are not grouped where another step of the same composition waits, whose effect is another', () => {
  const step = (capability: string) => asks('trip', { step: { id: capability, capability, parameters: {} } })
  const [pay, hold] = [step('pay'), step('hold')]
  expect(groupsOf([pay, hold])).toEqual([[pay], [hold]])
})

it('differ from the last request in what was quoted and in the cost, not in the id of the quote', () => {
  const [last, next] = [move('M. K.', '11:00'), { ...move('M. K.', '12:00'), checked_cost: { currency: 'EUR', amount: 90 } }]
  expect(differencesOf(next, last)).toEqual([['Slot', '11:00', '12:00'], ['Cost', '12.50 EUR', '90.00 EUR']])
  expect(differencesOf(last, last)).toEqual([])
}) // prettier-ignore

it('have the amount once, though the caller gave it, too', () => {
  const { preview: _, ...request } = asks('pay', { requested_parameters: { amount: 12.5, seats: 2 } })
  expect(distinctValues(request, [request])).toEqual([['Seats', 2]])
  const last = {
    ...request,
    requested_parameters: { amount: 9, seats: 2 },
    checked_cost: { currency: 'EUR', amount: 9 },
  }
  expect(differencesOf(request, last)).toEqual([['Cost', '9.00 EUR', '12.50 EUR']])
})
