import { expect, it } from 'vitest'
import { check } from '../../../src/compiler/check.js'

const HEAD = `manifest_metadata: { version: "0.24.0" }
service_identity: { id: crm }
trust: { level: signed }
capabilities:
`
const capability = (name: string): string => `  ${name}:
    description: Looks an account up through ${name}.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [crm.read]
    inputs:
      - name: a
        type: string
        resolution: { mode: explicit_only }
      - name: b
        type: string
        resolution: { mode: explicit_only }
    output:
      type: account
      fields: [account]
${name === 'one' ? '    refresh_via: [two]\n' : ''}`
const ONE = capability('one')
const TWO = capability('two')
const SOUND = HEAD + ONE + TWO

const found = (text: string): readonly string[] =>
  check([{ file: 'svc.yaml', text }], { preset: 'minimal' }).diagnostics.map(
    ({ code, range, message }) => `${range.start.line}:${range.start.column} ${code} ${message}`,
  )
const deeper = (text: string, by: string): string => text.replaceAll(/^(?=.)/gmu, by)
const shallower = (text: string): string => text.replaceAll(/^ {2}/gmu, '')
const DASH = 'A `-` and a space are missing before `name`, where an item of the list begins.'
const TOO_DEEP = (name: string, is: string, fits: string): string =>
  `\`${name}\` is indented by ${is}, which fits nothing here; indent it by ${fits}.`
const BELOW = (name: string, by: string): string =>
  `What belongs to \`${name}\` is indented deeper than it; indent this by ${by} more.`

it('finds nothing in the manifest of these tests', () => {
  expect(found(SOUND)).toEqual([])
})

it.each([
  ['an item whose dash is a space', ONE.replace('- name: b', '  name: b'), `14:9 SVC0103 ${DASH}`],
  ['an item without its dash', ONE.replace('- name: b', 'name: b'), `14:7 SVC0101 ${DASH}`],
  ['a first item without its dash', ONE.replace('- name: a', '  name: a'), `11:9 SVC0101 ${DASH}`],
  [
    'an only item without its dash',
    ONE.replace('- name: a', '  name: a').replace(/ {6}- name: b[^]*?(?= {4}output)/u, ''),
    `11:9 SVC0203 ${DASH}`,
  ],
  [
    'what belongs to a key at its column',
    ONE.replace('      type: account\n      fields', '    type: account\n    fields'),
    `18:5 SVC0210 ${BELOW('output', '2 spaces')}`,
  ],
  [
    'a value at the start of its line',
    ONE.replace('description: Looks', 'description:\nLooks'),
    `7:1 SVC0101 ${BELOW('description', '6 spaces')}`,
  ],
  [
    'a block of text at the start of its line',
    ONE.replace('description: Looks', 'description: |\nLooks'),
    `7:1 SVC0101 ${BELOW('description', '6 spaces')}`,
  ],
  [
    'a no-break space before a key',
    ONE.replace('    contract', '\u00A0\u00A0\u00A0\u00A0contract'),
    '7:5 SVC0102 The indentation holds U+00A0, which only looks like a space; write spaces.',
  ],
  [
    'a wide space before a key',
    ONE.replace('    contract', '\u3000\u3000contract'),
    '7:3 SVC0102 The indentation holds U+3000, which only looks like a space; write spaces.',
  ],
  [
    'a tab after a dash',
    ONE.replace('- name: b', '-\tname: b'),
    '14:8 SVC0102 A tab follows this `-`; before a key, YAML wants a space there.',
  ],
  [
    'a mark that is no colon',
    ONE.replace('side_effect: {', 'side_effect = {'),
    '8:5 SVC0202 A `:` and a space are missing after `side_effect`.',
  ],
])('tells %s once', (_, one, expected) => {
  expect(found(HEAD + one + TWO)).toEqual([expected])
})

it.each([
  ['as deep as its fields', TWO.replace('  two:', '    two:'), TOO_DEEP('two', '4 spaces', '2 spaces')],
  ['a level too deep', deeper(TWO, '  '), TOO_DEEP('two', '4 spaces', '2 spaces')],
  ['at the start of its line', TWO.replace('  two:', 'two:'), TOO_DEEP('two', '0 spaces', '2 spaces')],
  ['a level too shallow', shallower(TWO), TOO_DEEP('two', '0 spaces', '2 spaces')],
])('tells a capability %s once', (_, two, expected) => {
  expect(found(HEAD + ONE + two)).toEqual([`21:${two.search(/\S/u) + 1} SVC0210 ${expected}`])
})

it('tells a name that is none where it is declared, not where it is meant', () => {
  expect(found(SOUND.replace('  two:', '  Two:'))).toEqual([
    '21:3 SVC1004 `Two` is not a capability name (lower-case words joined by `_`, in parts joined by `.`). Did you mean `two`?',
  ])
})

it('tells two faults in two places, in two capabilities or in one', () => {
  expect(found(HEAD + ONE.replace('    side', '   side') + TWO.replace('    side', '     side'))).toEqual([
    `8:4 SVC0101 ${TOO_DEEP('side_effect', '3 spaces', '4 spaces')}`,
    `24:6 SVC0101 ${TOO_DEEP('side_effect', '5 spaces', '4 spaces')}`,
  ])
  expect(found(HEAD + ONE.replace('- name: b', '  name: b').replace('output', 'outputt') + TWO)).toEqual([
    `14:9 SVC0103 ${DASH}`,
    '17:5 SVC0202 `one` has no field `outputt`. Did you mean `output`?',
  ])
})

it('shows no field under a field of the author that swallows everything', () => {
  const text = SOUND.replace('    refresh_via: [two]\n', '    x-own:\n      a: 1\n    foo: [two]\n')
  expect(found(text)).toEqual(['22:5 SVC0202 `one` has no field `foo`.'])
})

it('mends nothing unasked, and keeps the places of the text as it is written', () => {
  const text = HEAD + ONE.replace('    contract', '   contract') + TWO.replace('read }', 'reed }')
  const { diagnostics } = check([{ file: 'svc.yaml', text }], { preset: 'minimal' })
  expect(
    diagnostics.map(({ range, fix, isGuess }) => [
      text.slice(range.start.offset, range.end.offset),
      fix?.map((edit) => [text.slice(edit.range.start.offset, edit.range.end.offset), edit.newText]),
      isGuess,
    ]),
  ).toEqual([
    ['contract_version', undefined, undefined],
    ['reed', [['reed', 'read']], true],
  ])
})

it('tells keys in a row that are given twice once', () => {
  expect(found(HEAD + ONE + TWO.replace('  two:\n', '').replace('refresh', 'x-refresh'))).toEqual([
    '20:19 SVC3007 `refresh_via` names `two`, which this manifest does not declare.',
    '21:5 SVC0103 The key `description` and the 5 after it are given twice; remove them, or write above them what they belong to.',
  ])
  const lines = '    contract_version: 1.0.0\n    side_effect: { type: read }\n'
  expect(found(HEAD + ONE.replace(lines, lines + lines) + TWO)).toEqual([
    '9:5 SVC0103 The key `contract_version` and the one after it are given twice; remove them, or write above them what they belong to.',
  ])
  expect(found(HEAD + ONE.replace('    inputs', '    contract_version: 1.0.0\n    inputs') + TWO)).toEqual([
    '10:5 SVC0103 The key `contract_version` is given twice; remove or rename one.',
  ])
})

it('names in a fragment the line that is laid out otherwise', () => {
  const manifest = `${HEAD.replace('capabilities', 'include: [two.yaml]\ncapabilities')}${ONE}`
  const { diagnostics } = check(
    [
      { file: 'svc.yaml', text: manifest },
      { file: 'two.yaml', text: `capabilities:\n${TWO.replace('    contract', '     contract')}` },
    ],
    { preset: 'minimal' },
  )
  expect(diagnostics.map(({ file, code, range }) => `${file}:${range.start.line} ${code}`)).toEqual([
    'two.yaml:4 SVC0101',
  ])
})

it('tells what is missing only of what could be read', () => {
  expect(found('a: [b\n')).toEqual([
    '1:1 SVC0202 A manifest has no field `a`.',
    '1:4 SVC0101 This `[` is never closed.',
  ])
})
