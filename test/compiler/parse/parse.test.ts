import { expect, it } from 'vitest'
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
