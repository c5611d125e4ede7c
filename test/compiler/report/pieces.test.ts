/** What reports are made of: frames of lines, differences, fingerprints, and the name that was meant. */
import { expect, it } from 'vitest'
import type { Diagnostic } from '../../../src/compiler/diagnostics.js'
import { nearest } from '../../../src/compiler/nearest.js'
import { portableName } from '../../../src/compiler/names.js'
import { inline, table } from '../../../src/compiler/print/markdown.js'
import {
  codeFrame,
  cutAround,
  linesBySource,
  placeFrame,
  safe,
  snippetOf,
} from '../../../src/compiler/report/code-frame.js'
import { fingerprintOf, fingerprintsOf } from '../../../src/compiler/report/fingerprint.js'
import { fixDiff } from '../../../src/compiler/report/fix-diff.js'
import { lineDiff } from '../../../src/compiler/report/line-diff.js'

const LINES = linesBySource([{ file: 'a', text: `one\r\ntwo\tx\r${'y'.repeat(170)} far ${'z'.repeat(200)}\nlast` }])(
  'a',
)
const range = (line: number, from: number, to: number, endLine = line) => ({
  start: { line, column: from, offset: 0 },
  end: { line: endLine, column: to, offset: 0 },
})
const PLAIN = { dim: (text: string) => text, mark: (text: string) => text }

it.each([
  ['the first line', range(1, 1, 4), '> 1 | one\n    | ^^^'],
  ['a line below another', range(2, 5, 6), '  1 | one\n> 2 | two x\n    |     ^'],
  ['nothing, which is one mark', range(2, 1, 1), '  1 | one\n> 2 | two x\n    | ^'],
  ['several lines, to the end of the first', range(1, 2, 3, 2), '> 1 | one\n    |  ^^'],
  ['the last line', range(4, 1, 5), `  3 | ${'y'.repeat(160)}\n> 4 | last\n    | ^^^^`],
  ['a place far to the right', range(3, 172, 175), `  2 | two x\n> 3 | ${'y'.repeat(39)} far ${'z'.repeat(116)}\n    | ${' '.repeat(40)}^^^`],
])('frames %s', (_, where, frame) => {
  expect(codeFrame(LINES, where, PLAIN)).toBe(frame)
}) // prettier-ignore

it('frames another place, and cuts a long line around it', () => {
  expect(placeFrame(LINES, range(2, 1, 4), PLAIN)).toBe('    2 | two x\n      | ---')
  expect(placeFrame(LINES, range(1, 2, 9, 2), PLAIN)).toBe('    1 | one\n      |  --')
  expect([0, 119, 120, 200].map(cutAround)).toEqual([{ from: 0, to: 160 }, { from: 0, to: 160 }, { from: 80, to: 240 }, { from: 160, to: 320 }]) // prettier-ignore
  expect(snippetOf(LINES, range(1, 1, 2))).toBe('one')
  expect(snippetOf(LINES, range(9, 1, 2))).toBe(undefined)
  expect(safe('a\tb\u001b[2J\u0007\u202e\u2028é')).toBe('a b\u241b[2J\u00b7\u00b7\u00b7é')
})

it.each([
  ['one line', 'a\nb\nc\nd\ne\nf', 'a\nb\nc\nX\ne\nf', ' b\n c\n-d\n+X\n e\n f'],
  ['the first line', 'a\nb', 'X\nb', '-a\n+X\n b'],
  ['a line that is added', 'a\nb', 'a\nX\nb', ' a\n+X\n b'],
  ['a line that is gone', 'a\nb\nc', 'a\nc', ' a\n-b\n c'],
  ['two places', '1\n2\n3\n4\n5\n6\n7\n8\n9', 'X\n2\n3\n4\n5\n6\n7\n8\nY', '-1\n+X\n 2\n 3\n@@\n 7\n 8\n-9\n+Y'],
  ['what would steer a terminal', 'a', '\u001b[2J', '-a\n+\u241b[2J'],
])('shows %s as a difference', (_, before, after, lines) => {
  expect(lineDiff('a.yaml', before, after)).toBe(`--- a.yaml\n+++ a.yaml\n${lines}\n`)
})

const BEFORE = 'one\ntwo\nthree\nfour\nfive\nsix'
/** An edit from a column of a line to one of another, both from 1. */
const edit = (from: readonly [number, number], to: readonly [number, number], newText: string, file = 'a') => {
  const place = ([line, column]: readonly [number, number]) => ({ line, column, offset: BEFORE.split('\n').slice(0, line - 1).join('\n').length + column }) // prettier-ignore
  return { file, range: { start: place(from), end: place(to) }, newText }
}

it.each([
  ['one line', [edit([2, 1], [2, 4], '2')], ['  - two', '  + 2']],
  ['two edits of one line, whichever comes first', [edit([2, 3], [2, 4], '!'), edit([2, 1], [2, 2], 'T')], ['  - two', '  + Tw!']],
  ['two edits, and not the line between them', [edit([1, 1], [1, 4], '1'), edit([3, 1], [3, 6], '3')], ['  - one', '  - three', '  + 1', '  + 3']],
  ['four lines that go', [edit([1, 1], [5, 1], '')], ['  - one', '  - two', '  - three', '  - four']],
  ['no five lines that go', [edit([1, 1], [6, 1], '')], undefined],
  ['four lines that come', [edit([1, 1], [1, 1], 'a\nb\nc\nd\n')], ['  + a', '  + b', '  + c', '  + d']],
  ['no five lines that come', [edit([1, 1], [1, 1], 'a\nb\nc\nd\ne\n')], undefined],
  ['no edits of two files', [edit([2, 1], [2, 4], '2'), edit([1, 1], [1, 4], '1', 'b')], undefined],
  ['nothing of an edit that changes nothing', [edit([2, 1], [2, 4], 'two')], undefined],
  ['nothing of no edits', [], undefined],
])('shows of a fix %s', (_, edits, lines) => {
  const colors = { red: (text: string) => text, green: (text: string) => text, dim: (text: string) => text }
  const linesOf = linesBySource([{ file: 'a', text: BEFORE }, { file: 'b', text: BEFORE }])
  expect(fixDiff(edits, linesOf, colors as never)).toEqual(lines === undefined ? [] : ['  fix', ...lines])
}) // prettier-ignore

const found = (more: Partial<Diagnostic>): Diagnostic => ({ code: 'SVC1', file: 'a', path: 'p', message: 'Has 3.', ...more }) as Diagnostic // prettier-ignore

it('prints of findings are those of what they are, and not of numbers and lines', () => {
  const [first, same, number, code, file, path, message] = fingerprintsOf([found({}), found({}), found({ message: 'Has 44.' }), found({ code: 'SVC2' }), found({ file: 'b' }), found({ path: 'q' }), found({ message: 'Had 3.' })]) // prettier-ignore
  expect([first, same, number]).toEqual(['ee830b03956ad541', same, number])
  expect(new Set([first, same, number, code, file, path, message]).size).toBe(7)
  expect(fingerprintsOf([found({ message: 'Has 44.' })])).toEqual([first])
  const all = [found({}), found({})]
  expect(fingerprintOf(all)(all[1]!)).toBe(same)
})

const WORDS = ['read', 'write', 'transactional', 'irreversible']
it.each([
  ['raed', undefined],
  ['READ', 'read'],
  ['wirte', 'write'],
  ['writ', 'write'],
  ['transaction', 'transactional'],
  ['reversible', 'irreversible'],
  ['x', undefined],
  ['', undefined],
])('%j most likely means %s', (word, wanted) => {
  expect(nearest(word, WORDS)).toBe(wanted)
})

it('looks for what was meant among 20,000 names at most, and takes the first of the nearest', () => {
  const names = (count: number) => Array.from({ length: count }, (_, n) => `${n}`.padStart(30, '-'))
  expect(nearest('order', [...names(19_999), 'orders'])).toBe('orders')
  expect(nearest('order', [...names(20_000), 'orders'])).toBe(undefined)
  expect(nearest('cat', ['bat', 'rat', 'cap'])).toBe('bat')
})

it.each(['aux', 'con', 'nul', 'prn', 'com1', 'lpt9', 'con.open', 'nul.ts'])('%s is a device of Windows', (name) => {
  expect(portableName(name)).toBe(name.replace(/^[a-z]+\d?/u, '$&$$'))
})
it.each(['console', 'com', 'com10', 'auxiliary', 'a.con', 'null'])('%s is a file everywhere', (name) => {
  expect(portableName(name)).toBe(name)
})

it.each([
  ['Plain, with `code` and 1.5.', 'Plain, with `code` and 1.5.'],
  ['a_b *c* [d](e) <f> #g !h |i| ~j~ &k; $l$ {m} (n) + o', 'a\\_b \\*c\\* \\[d\\]\\(e\\) \\<f\\> \\#g \\!h \\|i\\| \\~j\\~ \\&k; \\$l\\$ \\{m\\} \\(n\\) \\+ o'],
  ['a\nb  c', 'a b c'],
  ['- item', '\\- item'],
  ['-', '\\-'],
  ['--- x', '\\--- x'],
  ['1. item', '1\\. item'],
  ['12.', '12\\.'],
  ['1.5 of it', '1.5 of it'],
  ['a `b|c` d', 'a \\`b\\|c\\` d'],
  ['back\\slash', 'back\\\\slash'],
])('%j is no markup of Markdown', (text, wanted) => {
  expect(inline(text)).toBe(wanted)
}) // prettier-ignore

it('aligns the cells of a table, and writes none without rows', () => {
  expect(table(['a', 'longer'], [['1', '2'], ['wide', '']])).toEqual(['| a    | longer |', '| ---- | ------ |', '| 1    | 2      |', '| wide |        |', '']) // prettier-ignore
  expect(table(['a'], [])).toEqual([])
})
