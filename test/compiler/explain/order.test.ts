import { expect, it } from 'vitest'
import { sorted } from '../../../src/compiler/explain/order.js'
import type { Finding } from '../../../src/compiler/finding.js'

/** A finding as `SVC0201 7 text`: its code, where it starts, what it says. */
const findingOf = (words: string): Finding => {
  const [code = '', start, message = ''] = words.split(' ')
  return { code, span: { start: Number(start), end: Number(start) + 1 }, message } as Finding
}
const wordsOf = ({ code, span, message }: Finding): string => `${code} ${span.start} ${message}`

it.each([
  ['each once', ['SVC0201 7 a', 'SVC0201 7 a'], ['SVC0201 7 a']],
  ['two of one rule at one place', ['SVC0201 7 a', 'SVC0201 7 b'], ['SVC0201 7 a', 'SVC0201 7 b']],
  ['the same at two places', ['SVC0201 7 a', 'SVC0201 9 a'], ['SVC0201 7 a', 'SVC0201 9 a']],
  ['the same of two rules', ['SVC0201 7 a', 'SVC0202 7 a'], ['SVC0201 7 a', 'SVC0202 7 a']],
  ['by place', ['SVC0201 9 a', 'SVC0202 7 a'], ['SVC0202 7 a', 'SVC0201 9 a']],
  ['by code at one place', ['SVC0202 7 a', 'SVC0201 7 a'], ['SVC0201 7 a', 'SVC0202 7 a']],
  ['the error before the warning', ['SVC0124 7 a', 'SVC0201 7 a'], ['SVC0201 7 a', 'SVC0124 7 a']],
])('findings are in order: %s', (_, given, ordered) => {
  expect(sorted(given.map(findingOf)).map(wordsOf)).toEqual(ordered)
})
