import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commentLines, nameText, stringText } from '../../../src/compiler/print/text.js'

describe('stringText', () => {
  it.each([
    ['plain', `'plain'`],
    [`it's`, `"it's"`],
    [`it's "so"`, `'it\\'s "so"'`],
    ['a\\b', `'a\\\\b'`],
    ['line\nbreak', `'line\\nbreak'`],
    ['\u2028', `'\\u2028'`],
    ['\u202eabc', `'\\u202eabc'`],
    ['\ud800', `'\\ud800'`],
    ['${x}`', "'${x}`'"],
    ['naïve 東京', `'naïve 東京'`],
  ])('%j is written %s', (text, literal) => {
    expect(stringText(text)).toBe(literal)
  })

  it.each(['00ad', '034f', '061c', '115f', '1160', '17b4', '17b5', '180b', '180f', '200b', '200f', '2028', '202a', '202e', '2060', '206f', '3164', 'fe00', 'fe0f', 'feff', 'ffa0', 'fff0', 'ffff'])(
    'U+%s, which nobody sees, is escaped',
    (hex) => {
      expect(stringText(String.fromCharCode(Number.parseInt(hex, 16)))).toBe(`'\\u${hex}'`)
    },
  ) // prettier-ignore

  it('comes back as it was, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(valueOf(stringText(text))).toBe(text)
      }),
    )
  })
})

describe('nameText', () => {
  it.each([
    ['passengers', 'passengers'],
    ['pay.charge', `'pay.charge'`],
    ['delete', 'delete'],
    ['__proto__', `['__proto__']`],
    ["a'] = 1", `"a'] = 1"`],
  ])('%j is written %s', (name, text) => {
    expect(nameText(name)).toBe(text)
  })
})

describe('commentLines', () => {
  it('never ends the comment', () => {
    expect(commentLines(['*/ process.exit() /*'], 80)).toEqual(['*\\/ process.exit() /*'])
    expect(commentLines(['one */ two */ three'], 80)).toEqual(['one *\\/ two *\\/ three'])
    expect(commentLines(['*/*/ a**/'], 80)).toEqual(['*\\/*\\/ a**\\/'])
  })

  it('wraps words and keeps paragraphs', () => {
    expect(commentLines(['one two three', '', 'four'], 8)).toEqual(['one two', 'three', 'four'])
  })

  it('shows what would be invisible', () => {
    expect(commentLines(['a\u202eb'], 80)).toEqual(['a\\u202eb'])
  })

  it('holds for any text', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), fc.integer({ min: 1, max: 120 }), (paragraphs, width) => {
        for (const line of commentLines(paragraphs, width)) {
          expect(line).not.toContain('*/')
          expect(line).not.toMatch(/[\n\r\u2028\u2029]/u)
        }
      }),
    )
  })
})

/** The value of a literal, read without evaluating it: as JSON, once its quotes are double. */
function valueOf(literal: string): unknown {
  const body = literal.slice(1, -1)
  const inner = literal.startsWith("'")
    ? body.replaceAll(/\\'|"|\\\\/gu, (part) => (part === "\\'" ? "'" : part === '"' ? '\\"' : part))
    : body
  return JSON.parse(`"${inner}"`)
}
