import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatOf, FORMATS, type Format, type FormatName } from '../../../src/compiler/shape/formats.js'

const PIECES = ['a', 'z', '0', '01', '1', '9', '10', '_', '.', '..', '__', '-', ':', '/', 'A', 'P', 'PT15M', 'P1D', 'T', '1.0', '1.2.3', 'v', '+', '*', ',', 'é', '\n', ' ', 'hourly', 'constructor', 'prototype', '__proto__', 'x'.repeat(127)] // prettier-ignore
const usual = (Object.keys(FORMATS) as FormatName[])
  .map((name): readonly [FormatName, Format] => [name, formatOf(name)])
  .filter(([, format]) => format.usual !== undefined)

it.each(usual)('tells only texts that fit: %s', (_, { usual: isUsual, pattern, also, examples }) => {
  const texts = fc.array(fc.constantFrom(...PIECES, ...examples), { maxLength: 6 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(texts, (text) => {
      if (isUsual!(text)) expect([text, pattern.test(text) && (also?.(text) ?? true)]).toEqual([text, true])
    }),
    { numRuns: 5000, seed: 1 },
  )
  expect(examples.some((each) => isUsual!(each))).toBe(true)
})
