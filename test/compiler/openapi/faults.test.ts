/** Each class of finding and of note is a row of the guide; `UPDATE=1` writes the rows anew. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { FAULTS } from '../../../src/compiler/openapi/faults.js'
import { guideLines } from '../../../src/compiler/openapi/left-out.js'
import { NOTES } from '../../../src/compiler/openapi/notes.js'

const GUIDE = 'docs/guides/import-openapi.md'

it.each([
  ['findings', FAULTS],
  ['notes', NOTES],
])('the guide has a row for each class of %s', (of, table) => {
  const rows = new RegExp(`(?<=All classes of ${of}:\\n\\n)(?:- .*\\n)+`, 'u')
  const guide = readFileSync(GUIDE, 'utf8')
  const written = guide.replace(rows, () => guideLines(table))
  if (process.env['UPDATE'] === '1') writeFileSync(GUIDE, written)
  expect(guide).toMatch(rows)
  expect(guide).toBe(written)
})

it.each(Object.entries(FAULTS))('%s says in words what is not imported, and why', (_, { what, why, says }) => {
  expect([what, why].every((text) => text.length > 10)).toBe(true)
  const message = (says as (...given: readonly string[]) => string)('one.', 'two', 'three')
  expect(message).toMatch(/^[A-Z`o].*\.$/u)
})

it.each(Object.entries(NOTES))('%s says in words what is left out, and why', (_, { what, why, says }) => {
  expect(what.length).toBeGreaterThan(10)
  expect(why).toMatch(/^[A-Z].{10,}\.$/u)
  expect((says as (...given: readonly string[]) => string)('one')).toMatch(/^\S.*[^.]$/u)
})

it('each finding has a reason of its own', () => {
  const rows = Object.values(FAULTS).flatMap(({ what, why }) => [what, why])
  expect(new Set(rows).size).toBe(rows.length)
})

/** Whatever an import carries over is no reason to refuse an operation. */
const CARRIED =
  /YAML|merge key|JSON body|merge-patch|CSV|binary|octet|base64|deepObject|matrix|delimited|explode|oneOf|anyOf|discriminator|writeOnly|OAuth|basic|API key|null\b|default|3\.2|2\^53|Content-Type|Idempotency-Key/iu

it.each(Object.entries(FAULTS).filter(([name]) => !['unread', 'version'].includes(name)))(
  '%s is no class that is carried over',
  (_, { what, why }) => expect(`${what} ${why}`).not.toMatch(CARRIED),
)

/** A text of its own type comes from a row: a note or a finding that is made without one is no such text. */
it('no other file calls a text a note or a finding', () => {
  const folder = 'src/compiler/openapi'
  const casts = readdirSync(folder).filter((file) => /\bas (?:NoteText|FaultText|TextOf|never|any)\b/u.test(readFileSync(`${folder}/${file}`, 'utf8')))
  expect(casts.toSorted()).toEqual(['notes.ts'])
}) // prettier-ignore
