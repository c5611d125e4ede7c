/** The layout of a whole manifest, whatever order its fields were written in. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { formatManifest } from '../../../src/compiler/fix/format.js'

/** The same value, with the members of each object in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, reversed(each)] as const).toReversed())
} // prettier-ignore

it.each(['travel', 'refunds'])('puts the fields of %s in the order of the interface document', async (example) => {
  const written = stringify(reversed(parse(readFileSync(`examples/${example}/svc.yaml`, 'utf8'))))
  const formatted = formatManifest(written)!
  expect(parse(formatted)).toEqual(parse(written))
  expect(formatManifest(formatted)).toBe(formatted)
  await expect(formatted).toMatchFileSnapshot(`order-${example}.txt`)
})

it.each([
  ['a fragment', 'capabilities:\n  a: { output: {}, inputs: [] }\ninclude: []\nx-schemas: {}\n', 'capabilities:\n  a: { inputs: [], output: {} }\nx-schemas: {}\ninclude: []\n'],
  ['a manifest, by its version', 'capabilities: {}\nmanifest_metadata: {}\ntrust: {}\n', 'manifest_metadata: {}\ntrust: {}\ncapabilities: {}\n'],
  ['a manifest, by its identity', 'capabilities: {}\ntrust: {}\nservice_identity: {}\n', 'service_identity: {}\ntrust: {}\ncapabilities: {}\n'],
  ['fields that nobody knows, last and as they were', 'capabilities:\n  a:\n    zebra: 1\n    inputs: []\n    ape: 2\n    description: It.\n', 'capabilities:\n  a:\n    description: It.\n    inputs: []\n    zebra: 1\n    ape: 2\n'],
  ['a member that stands in two forms', 'capabilities:\n  a:\n    approval: { required: { when: [{ above: 1, input: a }] } }\n    output: { fields: [{ type: string, name: b }, c], type: t }\n', 'capabilities:\n  a:\n    output: { type: t, fields: [{ name: b, type: string }, c] }\n    approval: { required: { when: [{ input: a, above: 1 }] } }\n'],
  ['a text that is too long', `capabilities:\n  a:\n    description: ${'word '.repeat(30)}end.\n`, `capabilities:\n  a:\n    description: ${'word '.repeat(21).trim()}\n      ${'word '.repeat(9)}end.\n`],
  ['a list that is too long', `capabilities:\n  a:\n    minimum_scope: [${'some.scope, '.repeat(9)}end]\n`, `capabilities:\n  a:\n    minimum_scope:\n      [\n${'        some.scope,\n'.repeat(9)}        end\n      ]\n`],
  ['text above, beside and below', '# above\n\n# of the first\ntrust: {} # beside\n\n\nmanifest_metadata: {}\n# below\n', '# above\n\n# of the first\nmanifest_metadata: {}\ntrust: {} # beside\n\n# below\n'],
  ['values that are of another kind than they should be', 'capabilities: 3\ninclude: a\nmanifest_metadata: b\nservice_identity: []\n', 'manifest_metadata: b\nservice_identity: []\ninclude: a\ncapabilities: 3\n'],
  ['CRLF', 'trust: {}\r\nmanifest_metadata: {}\r\n# below\r\n', 'manifest_metadata: {}\ntrust: {}\n\n# below\n'],
])('lays out %s', (_, written, expected) => {
  expect(formatManifest(written)).toBe(expected)
}) // prettier-ignore

it.each([
  ['no YAML', 'a: [\n'],
  ['a list', '- a\n'],
  ['a word', 'a\n'],
  ['nothing', ''],
])('lays out nothing where there is %s', (_, written) => {
  expect(formatManifest(written)).toBeUndefined()
})
