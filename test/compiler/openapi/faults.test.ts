/** Each class of finding is a row of the guide; `UPDATE=1` writes the rows anew. */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { FAULTS, faultLines } from '../../../src/compiler/openapi/faults.js'

const GUIDE = 'docs/guides/import-openapi.md'
const ROWS = /(?<=All classes of findings:\n\n)(?:- .*\n)+/u

it('the guide has a row for each class of finding', () => {
  const guide = readFileSync(GUIDE, 'utf8')
  const written = guide.replace(ROWS, faultLines)
  if (process.env['UPDATE'] === '1') writeFileSync(GUIDE, written)
  expect(guide).toMatch(ROWS)
  expect(guide).toBe(written)
})

it.each(Object.entries(FAULTS))('%s says in words what is not imported, and why', (_, { finding, why, says }) => {
  expect([finding, why].every((text) => text.length > 10)).toBe(true)
  const message = (says as (...given: readonly string[]) => string)('one.', 'two', 'three')
  expect(message).toMatch(/^[A-Z`o].*\.$/u)
})
