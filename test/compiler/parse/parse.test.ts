import { expect, it } from 'vitest'
import { check } from '../../../src/compiler/check.js'
import { readDocument } from '../../../src/compiler/parse/read-document.js'

it('ends a list where its bracket stands, also after a pair without brackets', () => {
  const root = readDocument({ file: 'a', text: 'a: [b, c: d]\ne: [f]\n', base: 7 }, () => undefined)
  expect(root).toMatchObject({ values: [{ end: 7 + 12, items: [{}, { kind: 'map', end: 7 + 11 }] }, {}] })
})

it.each([
  ['a: &x 1\nb: *x\n', [1, 1]],
  ['a: &x 1\nb: &x 2\nc: *x\n', [1, 2, 2]],
  ['a: &x 1\nb: *x\nc: &x 2\nd: *x\n', [1, 1, 2, 2]],
  ['a: &x 1\nb: &y 2\nc: *x\nd: *y\n', [1, 2, 1, 2]],
])('an alias in %j stands for the last anchor of its name before it', (text, values) => {
  const root = readDocument({ file: 'a', text, base: 0 }, () => undefined)
  expect(root).toMatchObject({ values: values.map((value) => ({ value })) })
})

const read = (text: string) => {
  const found: string[] = []
  const root = readDocument({ file: 'a', text, base: 0 }, (code, { start }, message) => void found.push(`${code} ${start} ${message}`)) // prettier-ignore
  return { root, found }
}

it.each(['!!str 5', '!!str true', '!!str null'])('what is written `%s` is text', (written) => {
  expect(read(`a: ${written}\n`).root).toMatchObject({ values: [{ value: written.slice(6) }] })
})

it('two places that are nested too deep are one finding', () => {
  const deep = `${'['.repeat(70)}${']'.repeat(70)}`
  expect(read(`a: ${deep}\nb: ${deep}\n`).found).toEqual(['SVC0120 66 The document is nested deeper than 64 levels.'])
})

it('a file that holds too much is not read', () => {
  const { root, found } = read(`a: [${'1,'.repeat(2_000_000)}1]\n`)
  expect([root, found]).toEqual([undefined, ['SVC0010 0 The file holds more than 2,000,000 values and collections. Split it with `include:`.']]) // prettier-ignore
})

it('what is found at the end of one file is not at the beginning of the next', () => {
  const { diagnostics } = check([{ file: 'a.yaml', text: '' }, { file: 'b.yaml', text: 'capabilities: {}\n' }]) // prettier-ignore
  expect(diagnostics.filter(({ code }) => code === 'SVC0105').map(({ file }) => file)).toEqual(['a.yaml'])
})
