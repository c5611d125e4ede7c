import { globSync } from 'tinyglobby'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { check } from '../../../src/compiler/check.js'

const texts = globSync('examples/*/svc.yaml')
  .toSorted()
  .map((file) => readFileSync(file, 'utf8'))

/** A slip of a line; undefined where it cannot happen. `at`: the line that the slip adds or changes. */
type Slip = (lines: readonly string[], at: number) => readonly string[] | undefined
const KEY = /^( *)([a-z_]+): (\S.*)$/u
const isField = (lines: readonly string[], at: number): boolean =>
  KEY.test(lines[at]!) &&
  !/[|>"'&*{[]/u.test(lines[at]!) &&
  KEY.test(lines[at + 1] ?? '') &&
  KEY.test(lines[at - 1] ?? '') &&
  new Set([lines[at - 1]!, lines[at]!, lines[at + 1]!].map((line) => line.search(/\S/u))).size === 1
const changed =
  (change: (line: string) => string): Slip =>
  (lines, at) =>
    isField(lines, at) ? lines.with(at, change(lines[at]!)) : undefined
const added =
  (add: (indent: string) => string): Slip =>
  (lines, at) =>
    isField(lines, at) ? lines.toSpliced(at, 0, add(/^ */u.exec(lines[at]!)![0])) : undefined

const SLIPS: readonly (readonly [name: string, slip: Slip, message: RegExp])[] = [
  ['key:value', changed((line) => line.replace(': ', ':')), /^A space is missing after the `:` of `\w+`\.$/u],
  ['a no-break space after the colon', changed((line) => line.replace(': ', ':\u00A0')), /^U\+00A0 follows this `:` and only looks like a space/u],
  ['a fullwidth colon', changed((line) => line.replace(': ', '\uFF1A')), /^`\uFF1A` \(U\+FF1A\) only looks like a `:`/u],
  ['= for a colon', changed((line) => line.replace(': ', ' = ')), /^A `:` and a space are missing after/u],
  ['a comment of other languages', added((indent) => `${indent}// the version of the contract`), /^`\/\/` begins no comment in YAML; write `#`\.$/u],
  ['pasted prose', added(() => 'TODO ask Maria whether this needs an approval'), /^This line is neither a field nor an item of a list/u],
  ['the + of a diff', changed((line) => `+${line.slice(1)}`), /^This line begins with a `\+`, as in a diff; remove the `\+`\.$/u],
  ['the mark of a code block', added(() => '```yaml'), /^This is the mark of a code block in Markdown/u],
  ['a block of Helm', added(() => '{{- if .Values.x }}'), /^This is a template/u],
] // prettier-ignore

it.each(SLIPS)(
  'blames the line of %s, once, and says what to write',
  (_, slip, message) => {
    const met = { all: 0, right: 0, once: 0 }
    for (const text of texts) {
      const lines = text.split('\n')
      const places = [...lines.keys()].filter((at) => slip(lines, at) !== undefined)
      for (const at of places.filter((_, index) => index % 4 === 0)) {
        const { diagnostics } = check([{ file: 'svc.yaml', text: slip(lines, at)!.join('\n') }], { preset: 'minimal' })
        met.all++
        if (diagnostics.some(({ range, message: found }) => range.start.line === at + 1 && message.test(found)))
          met.right++
        else if (process.env['SHOW'] !== undefined)
          console.log(
            at + 1,
            JSON.stringify(slip(lines, at)![at]),
            diagnostics.map((each) => `${each.range.start.line} ${each.message}`),
          )
        if (diagnostics.length === 1) met.once++
      }
    }
    expect(met.all).toBeGreaterThan(15)
    expect({ right: met.right / met.all > 0.97, once: met.once / met.all > 0.97, met }).toEqual({
      right: true,
      once: true,
      met,
    })
  },
  120_000,
)

const minimal = readFileSync('examples/minimal/svc.yaml', 'utf8')
it.each([
  ['an item without a space', '- name: verbose', '-name: verbose', '19:7 SVC0101 A space is missing after this `-`.'],
  [
    'an item of a list of texts without a space',
    'minimum_scope: [minimal.read]',
    'minimum_scope:\n      -minimal.read',
    '18:7 SVC0213 `minimum_scope` must be a list; a space is missing after the `-` of its item.',
  ],
  [
    'a bullet',
    'minimum_scope: [minimal.read]',
    'minimum_scope:\n      • minimal.read',
    '18:7 SVC0213 `minimum_scope` must be a list; `•` begins no item, write `-`.',
  ],
  ['a bullet before a mapping', '- name: verbose', '• name: verbose', '19:7 SVC0101 `•` begins no item of a list; write `-`.'],
  ['a number before a mapping', '- name: verbose', '1. name: verbose', '19:7 SVC0101 `1.` begins no item of a list; write `-`.'],
  ['a brace that is not closed', 'When it was started. }', 'When it was started.', '28:11 SVC0101 This `{` is never closed.'],
  ['a quote that is not closed', "answers.' }", 'answers. }', "27:53 SVC0101 This `'` is never closed."],
  ['an item that is not written', 'fields:\n', 'fields:\n        -\n', '27:9 SVC0121 `fields[0]` has no value; write one or remove the item.'],
  ['a block without its colon', 'service_identity:', 'service_identity', '4:1 SVC0101 A `:` is missing after `service_identity`.'],
  ['prose of two lines', '    contract_version', 'Ask Maria about\nthe approval of this\n    contract_version', '15:1 SVC0101 This line is neither a field nor an item of a list; make it a comment with `#`, or remove it.'],
  ['a word below a key, above the first field', '    output:', '    output:\n      TODO', '25:7 SVC0101 This line is neither a field nor an item of a list; make it a comment with `#`, or remove it.'],
  ['the first item without its dash', 'minimum_scope: [minimal.read]', 'minimum_scope:\n        minimal.read\n      - minimal.write', '18:9 SVC0213 `minimum_scope` must be a list; a `-` is missing before its first item.'],
  ['the first mapping without its dash', '      - name: verbose', '        { name: depth, type: integer, description: How much. }\n      - name: verbose', '19:9 SVC0101 A `-` is missing before this item; write one, or remove the line.'],
  ['prose at the margin below a key', '  get_status:\n', '  get_status:\nTODO ask Maria\n', '14:1 SVC0101 This line is neither a field nor an item of a list; make it a comment with `#`, or remove it.'],
  ['the - of a diff', '  name: Minimal', '- name: Minimal', '6:1 SVC0101 This line begins with a `-`, as in a diff; remove the line, or only the `-` if it is to stay.'],
  ['the - of a diff before a word', '    side_effect:', '-x\n    side_effect:', '16:1 SVC0101 This line begins with a `-`, as in a diff; remove the line, or only the `-` if it is to stay.'],
  ['the - of a diff below a key', '  id: minimal', '-  id: minimal', '5:1 SVC0101 This line begins with a `-`, as in a diff; remove the line, or only the `-` if it is to stay.'],
  ['a - that makes a list of the only field', '  version:', '- version:', '2:1 SVC0203 `manifest_metadata` must be a mapping, but is a list; remove the `-` before `version`.'],
  ['a changed line of a diff', '  name: Minimal', '-  name: Minimal\n+  name: Maximal', '6:1 SVC0101 The text was pasted from a diff: remove each `+` at the margin, and the lines that begin with a `-`.'],
  ['a + before a block', '    side_effect:', '+   side_effect:', '16:1 SVC0101 This line begins with a `+`, as in a diff; remove the `+`.'],
  ['an empty tag', 'description: Also report memory use.', 'description: !Also', '23:22 SVC0112 The tag `!Also` is not allowed; write the value plainly.'],
])('finds %s', (_, find, wrong, expected) => {
  const text = minimal.replace(find, wrong)
  const { diagnostics } = check([{ file: 'svc.yaml', text }], { preset: 'minimal' })
  const found = diagnostics.map(({ range, code, message }) => `${range.start.line}:${range.start.column} ${code} ${message}`)
  expect(found).toEqual([expected])
}) // prettier-ignore

it('takes the marks and the old lines of a whole diff out', () => {
  const diff = minimal
    .replaceAll(/^(?=.)/gmu, ' ')
    .replace('   name: Minimal\n', '-  name: Minimal\n+  name: Maximal\n')
    .replace('   description: Rep', '-  description: Old.\n+  description: Rep')
  const { diagnostics } = check([{ file: 'svc.yaml', text: diff }], { preset: 'minimal' })
  expect(diagnostics).toHaveLength(1)
  const fixed = diagnostics[0]!
    .fix!.toReversed()
    .reduce(
      (text, { range, newText }) => text.slice(0, range.start.offset) + newText + text.slice(range.end.offset),
      diff,
    )
  expect(fixed).toBe(minimal.replaceAll(/^(?=.)/gmu, ' ').replace('Minimal', 'Maximal'))
  expect(check([{ file: 'svc.yaml', text: fixed }], { preset: 'minimal' }).diagnostics).toEqual([])
})

it('says nothing of references to schemas that it could not read', () => {
  const orders = readFileSync('examples/orders/svc.yaml', 'utf8')
  const text = orders.replace(/^  Money:/mu, '   Money:')
  expect(text).not.toBe(orders)
  const { diagnostics } = check([{ file: 'svc.yaml', text }], { preset: 'minimal' })
  expect(diagnostics.map(({ code }) => code)).toEqual(['SVC0101'])
})

it('reports a diff of very many lines without an edit for each', () => {
  const { diagnostics } = check([{ file: 'svc.yaml', text: `a: b\n${'+ a: b\n-  b: c\n'.repeat(100_000)}` }])
  const first = diagnostics.find(({ message }) => message.startsWith('The text was pasted from a diff'))
  expect(first).toMatchObject({ range: { start: { line: 2, column: 1 } } })
  expect(first!.fix).toBe(undefined)
}, 60_000)

/** What is found where a text stands in the place of another, and what the fix writes for what. */
function slipsOf(from: string, to: string) {
  const text = minimal.replace(from, () => to)
  return check([{ file: 'svc.yaml', text }], { preset: 'minimal' }).diagnostics.map(({ range, code, message, fix }) => [
    `${range.start.line}:${range.start.column} ${code} ${message}`,
    ...(fix ?? []).flatMap((each) => [text.slice(each.range.start.offset, each.range.end.offset), each.newText]),
  ])
}
const NO_COMMENT = 'begins no comment in YAML; write `#`.'
const NO_COLON = 'only looks like a `:`; write `:` and a space.'
const NO_MEANING = 'means nothing in YAML.'

it.each([
  ['// note', `16:5 SVC0101 \`//\` ${NO_COMMENT}`, '//', '#'],
  ['/* note', `16:5 SVC0101 \`/*\` ${NO_COMMENT}`, '/*', '#'],
  ['<!-- note -->', `16:5 SVC0101 \`<!--\` ${NO_COMMENT}`, '<!--', '#'],
  ['-- note', `16:5 SVC0101 \`--\` ${NO_COMMENT}`, '--', '#'],
  ['```', '16:5 SVC0101 This is the mark of a code block in Markdown, not YAML; remove it.'],
  ['~~~yaml', '16:5 SVC0101 This is the mark of a code block in Markdown, not YAML; remove it.'],
  ['{% if x %}', '16:5 SVC0101 This is a template, which svc does not fill in; write what it stands for, or fill it in first.'],
  ['cost:none', '16:5 SVC0101 A space is missing after the `:` of `cost`.', ':', ': '],
  ['cost:\u2003none', '16:5 SVC0101 U+2003 follows this `:` and only looks like a space; write a space.', '\u2003', ' '],
  ['cost\uFF1A none', `16:5 SVC0101 \`\uFF1A\` (U+FF1A) ${NO_COLON}`, '\uFF1A', ': '],
  ['cost\uFE55none', `16:5 SVC0101 \`\uFE55\` (U+FE55) ${NO_COLON}`, '\uFE55', ': '],
  ['cost\uFE13none', `16:5 SVC0101 \`\uFE13\` (U+FE13) ${NO_COLON}`, '\uFE13', ': '],
  ['cost\u2236none', `16:5 SVC0101 \`\u2236\` (U+2236) ${NO_COLON}`, '\u2236', ': '],
  ['cost => none', `16:5 SVC0101 A \`:\` and a space are missing after \`cost\`; \`=>\` ${NO_MEANING}`, ' => ', ': '],
  ['cost = none', `16:5 SVC0101 A \`:\` and a space are missing after \`cost\`; \`=\` ${NO_MEANING}`, ' = ', ': '],
  ['cost ; none', `16:5 SVC0101 A \`:\` and a space are missing after \`cost\`; \`;\` ${NO_MEANING}`, ' ; ', ': '],
  ['cost ::none', `16:5 SVC0101 A \`:\` and a space are missing after \`cost\`; \`::\` ${NO_MEANING}`, ' ::', ': '],
])('of the line %j says what is meant', (line, ...found) => {
  expect(slipsOf('    side_effect', `    ${line}\n    side_effect`)).toEqual([found])
}) // prettier-ignore

it.each(['1.', '999.', '1)', '\u2022', '\u2023', '\u25E6', '\u25AA', '\u2013', '\u2014'])(
  'knows %s for the mark of an item that is a mapping',
  (mark) => {
    expect(slipsOf('- name: verbose', `${mark} name: verbose`)).toEqual([
      [`19:7 SVC0101 \`${mark}\` begins no item of a list; write \`-\`.`, mark, '-'],
    ])
  },
)

it.each(['1000.', '1]', 'a.'])('does not take %s for the mark of an item', (mark) => {
  expect(slipsOf('- name: verbose', `${mark} name: verbose`).map(([found]) => found)).toEqual([
    '20:13 SVC0101 The indentation of this line fits no mapping or list that is open here; align it with its neighbours.',
  ])
})

it.each(['\u2022', '\u2023', '\u25E6', '\u25AA', '\u2013', '\u2014'])(
  'knows %s for the mark of an item that is a text',
  (mark) => {
    expect(slipsOf('minimum_scope: [minimal.read]', `minimum_scope:\n      ${mark} minimal.read`)).toEqual([
      [
        `18:7 SVC0213 \`minimum_scope\` must be a list; \`${mark}\` begins no item, write \`-\`.`,
        `${mark} minimal.read`,
        '- minimal.read',
      ],
    ])
  },
)

const SECOND = 'SVC0107 A second document starts here; write one manifest, or one fragment, in each file.'
const ends = (mark: string) => `SVC0107 This \`${mark}\` ends the document, and more of it follows; remove the line.`

it.each([
  ['`...` in the middle', '    side_effect', '...\n    side_effect', [[`16:1 ${ends('...')}`, '...', '']]],
  ['`---` at the margin before the capabilities', 'capabilities:', '---\ncapabilities:', [[`12:1 ${ends('---')}`, '---', '']]],
  ['`---` and a comment before the capabilities', 'capabilities:', '---\n# More.\ncapabilities:', [[`12:1 ${ends('---')}`, '---', '']]],
  ['`---` before the first line', 'manifest_metadata', '---\nmanifest_metadata', []],
  ['`---` behind the first comment', 'manifest_metadata', '# A comment.\n---\nmanifest_metadata', []],
  ['`...` behind the last line, and a comment', /$/u, '...\n# The end.\n', []],
  ['a document behind the last line', /$/u, '---\na: 1\n', [[`31:1 ${SECOND}`]]],
  ['a document behind the last line, with a comment', /$/u, '---\n# Another.\na: 1\n', [[`31:1 ${SECOND}`]]],
])('of the marks of documents finds %s', (_, from, to, found) => {
  expect(slipsOf(from as string, to)).toEqual(found)
}) // prettier-ignore
