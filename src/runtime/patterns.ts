/** Patterns of structured values, in time that grows with the text only (`svc-kit/runtime/patterns`). */
import { RE2JS } from 're2js'

export interface LinearPattern {
  test(text: string): boolean
}

/** ECMA-262 classes that differ in RE2: any character but a line's end, and white space. */
const SPACE = '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const DOT = '[^\\n\\r\\x{2028}\\x{2029}]'

/**
 * A pattern that `svc validate` took, compiled for an engine that never backtracks (decisions, section 12).
 *
 * @example
 * linearPattern('^[A-Z]{3}$').test('LIS') // true
 */
export function linearPattern(source: string): LinearPattern {
  const pattern = RE2JS.compile(re2Source(source))
  return { test: (text) => pattern.test(text) }
}

/** The pattern as RE2 writes it: `.`, `\s` and `\uXXXX` spelt out, inside brackets and outside. */
function re2Source(source: string): string {
  let inBrackets = false
  let made = ''
  for (let at = 0; at < source.length; at++) {
    const character = source[at]!
    if (character === '\\') {
      const letter = source[++at]!
      const [text, length] = escaped(letter, source.slice(at + 1, at + 5), inBrackets)
      made += text
      at += length
    } else if (character === '.' && !inBrackets) made += DOT
    else {
      if (character === '[' && !inBrackets) inBrackets = true
      else if (character === ']') inBrackets = false
      made += character === '[' && inBrackets && made.endsWith('[') ? '\\[' : character
    }
  }
  return made
}

function escaped(letter: string, next: string, inBrackets: boolean): readonly [text: string, taken: number] {
  if (letter === 'u') return [`\\x{${next}}`, 4]
  if (letter === 'x') return [`\\x{${next.slice(0, 2)}}`, 2]
  if (letter === 's') return [inBrackets ? SPACE : `[${SPACE}]`, 0]
  if (letter === 'S') return [inBrackets ? NOT_SPACE : `[^${SPACE}]`, 0]
  return [`\\${letter}`, 0]
}

const NOT_SPACE =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}'
