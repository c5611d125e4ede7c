import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { formatManifest } from '../../src/compiler/fix/format.js'

const manifest = (capability: string): string => `capabilities:
  lookup:
${capability}`

it.each([
  [
    'beside its key',
    '    output: # what comes back\n      type: account\n      fields: [account]\n',
    '    output: # what comes back\n      type: account\n      fields: [account]\n',
  ],
  [
    'beside its key, above a blank line',
    '    output: # what comes back\n\n      type: account\n      fields: [account]\n',
    '    output: # what comes back\n\n      type: account\n      fields: [account]\n',
  ],
  [
    'above the first item, and a blank line',
    '    minimum_scope:\n      # who may\n\n      - crm.read\n',
    '    minimum_scope:\n      # who may\n\n      - crm.read\n',
  ],
  [
    'with the field that it stands above, not with the list before it',
    '    output: { type: account }\n    minimum_scope:\n      - crm.read\n    # what callers give\n    inputs: []\n',
    '    minimum_scope:\n      - crm.read\n    # what callers give\n    inputs: []\n    output: { type: account }\n',
  ],
  [
    'at the end of a list, and what is no deeper than the next field above that',
    '    minimum_scope:\n      - crm.read\n      # no more\n\n    # what callers give\n    inputs: []\n',
    '    minimum_scope:\n      - crm.read\n      # no more\n\n    # what callers give\n    inputs: []\n',
  ],
  [
    'between two items',
    '    inputs:\n      - name: a\n        # the last of a\n      # the second\n      - name: b\n',
    '    inputs:\n      - name: a\n        # the last of a\n      # the second\n      - name: b\n',
  ],
  [
    'above a blank line that parts it from the next field',
    '    minimum_scope:\n      - crm.read\n    # decided by the owner\n\n    inputs: []\n',
    '    minimum_scope:\n      - crm.read\n    # decided by the owner\n\n    inputs: []\n',
  ],
  [
    'at the end of a list, above a blank line',
    '    minimum_scope:\n      - crm.read\n      # no more\n\n    inputs: []\n',
    '    minimum_scope:\n      - crm.read\n      # no more\n\n    inputs: []\n',
  ],
  [
    'before the next capability and at the end of the file',
    '    inputs: []\n    # of lookup\n  # the second\n  other:\n    inputs: []\n\n# the end\n',
    '    inputs: []\n    # of lookup\n  # the second\n  other:\n    inputs: []\n\n# the end\n',
  ],
])('leaves a comment %s', (_, written, expected) => {
  expect(formatManifest(manifest(written))).toBe(manifest(expected))
})

it('leaves a comment above any line of an example where it is', () => {
  const sound = formatManifest(readFileSync('examples/refunds/svc.yaml', 'utf8'))!
  const lines = sound.split('\n')
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line === '') continue
    const commented = lines.toSpliced(index, 0, line.replace(/\S.*/u, '# here')).join('\n')
    expect(formatManifest(commented)).toBe(commented)
  }
})

it.each([
  ['comments at the end', 'a:\n  b: 1\n# one\n  # two\n', 'a:\n  b: 1\n\n# one\n# two\n'],
  ['a comment beside a key of a value in braces', 'a: # beside\n  { b: 1 }\n', 'a:\n  # beside\n  { b: 1 }\n'],
  ['a comment beside a key of a value in brackets', 'a: # beside\n  [1]\n', 'a:\n  # beside\n  [1]\n'],
  [
    'two comments within braces, of which the second field moves up',
    'capabilities:\n  a:\n    {\n      # what comes back\n      output: {},\n      # what callers give\n      inputs: []\n    }\n',
    'capabilities:\n  a:\n    {\n      # what callers give\n      inputs: [],\n      # what comes back\n      output: {}\n    }\n',
  ],
  [
    'a blank line above the field that becomes the first',
    'capabilities:\n  a:\n    output: {}\n\n    inputs: []\n',
    'capabilities:\n  a:\n    inputs: []\n    output: {}\n',
  ],
])('has nothing left to do a second time: %s', (_, written, expected) => {
  expect(formatManifest(written)).toBe(expected)
  expect(formatManifest(expected)).toBe(expected)
})

it('leaves fields in their order where an alias would come before its anchor', () => {
  const written = manifest('    output:   { type: &what account }\n    description: *what\n')
  expect(formatManifest(written)).toBe(manifest('    output: { type: &what account }\n    description: *what\n'))
})

it.each([
  ['nowhere', 'a: *b\n'],
  ['to itself', 'a: &a\n  b: *a\n'],
  ['to too much', `a: &a [${'1,'.repeat(99)}]\nb: &b [${'*a,'.repeat(99)}]\nc: [${'*b,'.repeat(99)}]\n`],
])('formats nothing where an alias leads %s', (_, written) => {
  expect(formatManifest(written)).toBeUndefined()
})

it('leaves the manifest of a new service as it is', () => {
  const scaffold = readFileSync('examples/minimal/svc.yaml', 'utf8')
  expect(formatManifest(scaffold)).toBe(scaffold)
})

it('pads mappings on one line and no lists, at any depth', () => {
  const written =
    'manifest_metadata: {version: "0.24.0"}\nx-lists: [ [ "[ a ]" ], { b: [ 1,2 ] }, [ ], &c [ d ], *c ]\n'
  const expected = 'manifest_metadata: { version: "0.24.0" }\nx-lists: [["[ a ]"], { b: [1, 2] }, [], &c [d], *c]\n'
  expect(formatManifest(written)).toBe(expected)
  expect(formatManifest(expected)).toBe(expected)
})

it.each([
  ['inputs', 'inputs: [{ required: true, type: string, name: a }]', 'inputs: [{ name: a, type: string, required: true }]'],
  ['output fields', 'output: { fields: [{ type: a, name: b }], type: c }', 'output: { type: c, fields: [{ name: b, type: a }] }'],
  ['meanings in a list', 'inputs: [{ input_meanings: [{ label: x, value: a }], name: a }]', 'inputs: [{ name: a, input_meanings: [{ value: a, label: x }] }]'],
  ['meanings by value, which stay', 'inputs: [{ input_meanings: { b: x, a: y }, name: a }]', 'inputs: [{ name: a, input_meanings: { b: x, a: y } }]'],
  ['conditions', 'approval: { grant_policy: {}, required: { when: [{ above: 1, input: a }] } }', 'approval: { required: { when: [{ input: a, above: 1 }] }, grant_policy: {} }'],
  ['references to other services', 'cross_service: { handoff_to: [{ capability: a, service: b }] }', 'cross_service: { handoff_to: [{ service: b, capability: a }] }'],
  ['fields that nobody knows, behind the others', 'output: { zz: 1, aa: 2, type: c }', 'output: { type: c, zz: 1, aa: 2 }'],
])('puts fields in the order of the interface: %s', (_, written, expected) => {
  expect(formatManifest(manifest(`    ${written}\n`))).toBe(manifest(`    ${expected}\n`))
}) // prettier-ignore

it('knows a manifest from a fragment: what is a field of one alone is none of the other', () => {
  expect(formatManifest('capabilities: {}\ntrust: { level: signed }\nservice_identity: { id: a }\n')).toBe(
    'service_identity: { id: a }\ntrust: { level: signed }\ncapabilities: {}\n',
  )
  expect(formatManifest('capabilities: {}\ntrust: { level: signed }\n')).toBe(
    'capabilities: {}\ntrust: { level: signed }\n',
  )
})

it('writes a list on one line, and a long one item by item', () => {
  const ofEleven = (last: string) => `x-list: [${'aaaaaaaa, '.repeat(10)}${last}]\n`
  expect(formatManifest(`capabilities: {}\n${ofEleven('b'.repeat(6))}`)).toBe(
    `capabilities: {}\n${ofEleven('b'.repeat(6))}`,
  )
  expect(formatManifest(`capabilities: {}\n${ofEleven('b'.repeat(7))}`)).toBe(
    `capabilities: {}\nx-list:\n  [\n${'    aaaaaaaa,\n'.repeat(10)}    bbbbbbb\n  ]\n`,
  )
})
