/** Values of a request in the inbox: those in which requests differ come first. */
import { expect, it } from 'vitest'
import { distinctValues, showsIdsOnly, valuesOf } from '../../src/console/app/words/request-values.js'
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
