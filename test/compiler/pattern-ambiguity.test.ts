/** Which patterns an engine that backtracks may take exponentially long for (Weber and Seidl 1991). */
import { expect, it } from 'vitest'
import { isExponential } from '../../src/compiler/rules/facts/schemas/ambiguity.js'
import { readPattern } from '../../src/compiler/rules/facts/schemas/read-pattern.js'

function judged(source: string): boolean | undefined {
  const read = readPattern(source)
  if ('fault' in read) throw new Error(read.fault)
  return isExponential(read.pattern)
}

it.each([
  ['(?:a+){2}', 'a loop that is counted'],
  ['(?:a*b?)*', 'a loop whose end may be left out'],
  ['(?:a?b*)*', 'a loop whose beginning may be left out'],
  ['(?:b*a?)*', 'a loop in front of what may be left out'],
  ['(?:a*(?:b?|c))*', 'a choice of which one may be nothing'],
  ['(?:a|[ab])+', 'a choice whose characters overlap'],
])('%s is: %s', (source) => {
  expect(judged(source)).toBe(true)
})

it.each([
  ['(?:a*b)*', 'each round ends in its own character'],
  ['(?:a+)?', 'at most one round'],
  ['(?:a+){1}', 'one round'],
  ['(?:a*(?:b|c))*', 'no choice is nothing'],
  ['(?:a|b)+', 'the choices have no character in common'],
])('%s is not: %s', (source) => {
  expect(judged(source)).toBe(false)
})

it('a pattern that is too long is not judged', () => {
  expect(judged(`(?:${Array.from({ length: 100 }, () => '[ab]').join('|')})*`)).toBeUndefined()
})
