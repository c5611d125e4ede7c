/**
 * Every name, string and comment of a manifest passes through `nameText`, `stringText` or `commentLines` on its way
 * into generated code, so that no text can become code.
 */

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/u

/**
 * Characters that are invisible, reorder text, end lines or are half of one. Written out, because what a Unicode
 * category holds differs between versions of Node.
 */
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|[\u{e0000}-\u{e0fff}]/gu

const unitEscape = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`

const escaped = (characters: string): string =>
  Array.from({ length: characters.length }, (_, index) => unitEscape(characters.charCodeAt(index))).join('')

/**
 * A property's name: bare where it is an identifier, else quoted. `__proto__` is computed, or it would set a prototype.
 */
export function nameText(name: string): string {
  if (name === '__proto__') return `[${stringText(name)}]`
  return IDENTIFIER.test(name) ? name : stringText(name)
}

/** Returns code that reads a property. */
export const accessText = (object: string, name: string): string =>
  IDENTIFIER.test(name) ? `${object}.${name}` : `${object}[${stringText(name)}]`

/** JSON as an expression: its line ends are between values, and what is unsafe in a value is escaped. */
export const jsonLines = (json: string): string =>
  json
    .split('\n')
    .map((line) => line.replaceAll(UNSAFE, escaped))
    .join('\n')

const SHORT: ReadonlyMap<string, string> = new Map([['\n', '\\n'], ['\r', '\\r'], ['\t', '\\t']]) // prettier-ignore

/** A string literal that is exactly the text, in the quotes that a formatter would choose. */
export function stringText(text: string): string {
  const quote = text.includes("'") && count(text, "'") > count(text, '"') ? '"' : "'"
  const body = text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)
  return PRINTABLE.test(body)
    ? `${quote}${body}${quote}`
    : `${quote}${body.replaceAll(UNSAFE, (unsafe) => SHORT.get(unsafe) ?? escaped(unsafe))}${quote}`
}

/** Nothing in here is unsafe, and it is what nearly all texts are made of. */
const PRINTABLE = /^[ -~]*$/

const count = (text: string, character: string): number => text.split(character).length - 1

/** A literal of a boolean, a number or a string. */
export const literalText = (literal: string | number | boolean): string =>
  typeof literal === 'string' ? stringText(literal) : String(literal).replace('e+', 'e')

/** The lines of a comment: wrapped to a width, and never able to end the comment. */
export function commentLines(paragraphs: readonly string[], width: number): readonly string[] {
  const isLine = (paragraph: string): boolean => paragraph.length <= width && HARMLESS.test(paragraph)
  return paragraphs.every(isLine) ? paragraphs : paragraphs.flatMap((paragraph) => linesOf(paragraph, width))
}

/** Words of printable characters with one blank between them, none of which ends a comment or is an instruction. */
const HARMLESS = /^[!-)+-?A-~]+(?: [!-)+-?A-~]+)*$/

const linesOf = (paragraph: string, width: number): readonly string[] =>
  paragraph
    .split(/\r\n|[\n\r\u2028\u2029]/u)
    .map((line) => line.replaceAll(UNSAFE, escaped).replaceAll('*/', '*\\/').trim())
    .flatMap((line) => (line === '' ? [] : wrapped(line, width)))
    .map(withoutDirective)

/** A comment describes; it tells neither the compiler nor an editor anything. */
const withoutDirective = (line: string): string =>
  line.replace(/^@/u, '\\@').replaceAll('@ts-', '\\@ts-').replace('\\\\@', '\\@')

function wrapped(line: string, width: number): readonly string[] {
  const lines: string[] = []
  const [first = '', ...words] = line.split(/ +/u)
  let last = first
  for (const word of words)
    if (last.length + 1 + word.length <= width) last = `${last} ${word}`
    else {
      lines.push(last)
      last = word
    }
  return [...lines, last]
}
