/** Which characters hide, and which belong to a word or to a picture (threat N12). */
import { expect, it } from 'vitest'
import { hiddenIn } from '../../../src/compiler/parse/hidden-characters.js'

const kindsIn = (text: string) => [...hiddenIn(text)].map(({ kind, start, end }) => [kind, start, end])

it.each([
  ['\u061C', 'bidi'],
  ['\u200E', 'bidi'],
  ['\u200F', 'bidi'],
  ['\u202A', 'bidi'],
  ['\u202B', 'bidi'],
  ['\u202C', 'bidi'],
  ['\u202D', 'bidi'],
  ['\u202E', 'bidi'],
  ['\u2066', 'bidi'],
  ['\u2067', 'bidi'],
  ['\u2068', 'bidi'],
  ['\u2069', 'bidi'],
  ['\u{E0000}', 'tag'],
  ['\u{E0001}', 'tag'],
  ['\u{E0041}', 'tag'],
  ['\u{E007F}', 'tag'],
  ['\u{E0080}', 'invisible'],
  ['\u00AD', 'invisible'],
  ['\u034F', 'invisible'],
  ['\u200B', 'invisible'],
  ['\u200C', 'invisible'],
  ['\u200D', 'invisible'],
  ['\u2060', 'invisible'],
  ['\u2064', 'invisible'],
  ['\u206F', 'invisible'],
  ['\uFE00', 'invisible'],
  ['\uFE0F', 'invisible'],
  ['\uFEFF', 'invisible'],
  ['\uFFF9', 'invisible'],
  ['\uFFFA', 'invisible'],
  ['\uFFFB', 'invisible'],
])('%j hides', (mark, kind) => {
  expect(kindsIn(`a${mark}b`)).toEqual([[kind, 1, 1 + mark.length]])
})

it.each([' ', '\u00A0', '\u2003', '\u2028', '\uFFFC', '\uFFFD', '\u00E9'])('%j does not hide', (mark) => {
  expect(kindsIn(`a${mark}b`)).toEqual([])
})

it('is told as one where several of a kind follow each other', () => {
  expect(kindsIn('a\u200B\u200Bb\u200B\u202E\u202D\u{E0041}\u{E0042}')).toEqual([
    ['invisible', 1, 3],
    ['invisible', 4, 5],
    ['bidi', 5, 7],
    ['tag', 7, 11],
  ])
})

it.each([
  ['Arabic', '\u0628'],
  ['Syriac', '\u0712'],
  ['N’Ko', '\u07CA'],
  ['Mongolian', '\u1820'],
  ['Devanagari', '\u0915'],
  ['Bengali', '\u0995'],
  ['Gurmukhi', '\u0A15'],
  ['Gujarati', '\u0A95'],
  ['Odia', '\u0B15'],
  ['Tamil', '\u0B95'],
  ['Telugu', '\u0C15'],
  ['Kannada', '\u0C95'],
  ['Malayalam', '\u0D15'],
  ['Sinhala', '\u0D9A'],
  ['Khmer', '\u1780'],
  ['Burmese', '\u1000'],
])('a joiner belongs to a word in %s, and not to the edge of one', (_, letter) => {
  expect(kindsIn(`${letter}\u200D${letter}\u200C${letter}`)).toEqual([])
  expect([kindsIn(`${letter}\u200Ca`), kindsIn(`a\u200C${letter}`)]).toEqual([
    [['invisible', 1, 2]],
    [['invisible', 1, 2]],
  ])
})

it.each([
  ['Latin', 'a\u200Db', 1],
  ['Greek', '\u03B1\u200C\u03B2', 1],
  ['a picture with nothing after it', '\u{1F468}\u200D', 2],
  ['a picture before a letter', '\u{1F468}\u200Da', 2],
  ['a digit that is no key', '1\uFE0F', 1],
  ['a letter in a key', 'a\uFE0F\u20E3', 1],
])('a mark does not belong to %s', (_, text, at) => {
  expect(kindsIn(text)).toEqual([['invisible', at, at + 1]])
})

it.each(['#\uFE0F\u20E3', '*\uFE0F\u20E3', '9\uFE0F\u20E3', '\u26A0\uFE0E', '\u{1F44D}\u{1F3FD}\uFE0F'])(
  'a mark belongs to %j',
  (text) => {
    expect(kindsIn(text)).toEqual([])
  },
)
