import { expect, it } from 'vitest'
import { currencyCodes, decimalsOf, fromMinorUnits, minorUnits } from '../../src/protocol/money.js'

it.each([
  [0, 'EUR', 0n],
  [1, 'EUR', 100n],
  [0.01, 'EUR', 1n],
  [12.34, 'EUR', 1234n],
  [0.1 + 0.2, 'EUR', undefined],
  [0.001, 'EUR', undefined],
  [12.345, 'EUR', undefined],
  [1, 'JPY', 1n],
  [1.5, 'JPY', undefined],
  [0.001, 'KWD', 1n],
  [0.0001, 'CLF', 1n],
  [1e-7, 'EUR', undefined],
  [1e21, 'EUR', undefined],
  [90_071_992_547_409.9, 'EUR', 9_007_199_254_740_990n],
  [90_071_992_547_409.92, 'EUR', undefined],
  [9_007_199_254_740_991, 'JPY', 9_007_199_254_740_991n],
  [9_007_199_254_740_992, 'JPY', undefined],
  [-1, 'EUR', undefined],
  [-0, 'EUR', 0n],
  [Number.NaN, 'EUR', undefined],
  [Number.POSITIVE_INFINITY, 'EUR', undefined],
  [1, 'XXX', undefined],
  [1, 'eur', undefined],
  ['1' as unknown as number, 'EUR', undefined],
])('%j %s are %s minor units', (amount, currency, units) => {
  expect(minorUnits({ amount, currency })).toBe(units)
})

it.each([
  [1234n, 'EUR', 12.34],
  [1n, 'JPY', 1],
  [1n, 'KWD', 0.001],
  [1n, 'UYW', 0.0001],
  [7n, 'XXX', 0.07],
])('%s minor units of %s are %d', (units, currency, amount) => {
  expect(fromMinorUnits(units, currency)).toEqual({ currency, amount })
})

it('knows the active codes of ISO 4217 and their decimals', () => {
  const count = (decimals: number) => currencyCodes().filter((code) => decimalsOf(code) === decimals).length
  expect([0, 2, 3, 4].map(count)).toEqual([17, 138, 7, 2])
  expect(currencyCodes().filter((code) => !/^[A-Z]{3}$/u.test(code))).toEqual([])
})

it.each(['', 'EU', 'EURO', 'eur', 'D A', 'ED ', ' AF', '   ', 'XXX'])('knows no decimals of "%s"', (text) => {
  expect(decimalsOf(text)).toBeUndefined()
})
