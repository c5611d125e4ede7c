import { expect, it } from 'vitest'
import { readDocument } from '../../../src/compiler/parse/read-document.js'

it('ends a list where its bracket stands, also after a pair without brackets', () => {
  const root = readDocument({ file: 'a', text: 'a: [b, c: d]\ne: [f]\n', base: 7 }, () => undefined)
  expect(root).toMatchObject({ values: [{ end: 7 + 12, items: [{}, { kind: 'map', end: 7 + 11 }] }, {}] })
})
