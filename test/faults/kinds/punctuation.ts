import {
  endsInKey,
  indentOf,
  insertedBefore,
  isKeyLine,
  isScalarLine,
  ofLine,
  ofSite,
  replaced,
  type Kinds,
} from '../fault.js'

const FIRST_SPACES = /^\s*(?:- )?/u
const plain = (line: string): boolean => isScalarLine(line) && !/: ["']/u.test(line)

/** Whether the nearest line above that is indented less is a key. */
const isUnder = (key: string, lines: readonly string[], at: number): boolean =>
  lines
    .slice(0, at)
    .findLast((line) => !/^\s*(?:#|$)/u.test(line) && indentOf(line) < indentOf(lines[at]!))
    ?.trim() === `${key}:`

/** A slip in the marks of YAML, in a text whose fields stand on lines of their own. */
export const PUNCTUATION: Kinds = {
  'colon: no space behind it': ofLine((line) => (plain(line) ? line.replace(': ', ':') : undefined)),
  'colon: missing before a value': ofLine((line) => (isScalarLine(line) ? line.replace(': ', ' ') : undefined)),
  'colon: missing behind a key': ofLine((line) => (endsInKey(line) ? line.replace(/:\s*$/u, '') : undefined)),
  'colon: = in its place': ofLine((line) => (isScalarLine(line) ? line.replace(': ', ' = ') : undefined)),
  'colon: => in its place': ofLine((line) => (isScalarLine(line) ? line.replace(': ', ' => ') : undefined)),
  'colon: ; in its place': ofLine((line) => (isScalarLine(line) ? line.replace(': ', '; ') : undefined)),
  'colon: twice': ofLine((line) => (isScalarLine(line) ? line.replace(': ', ':: ') : undefined)),
  'colon: full width': ofLine((line) => (isScalarLine(line) ? line.replace(': ', '\uFF1A') : undefined)),
  'colon: full width and a space': ofLine((line) => (isScalarLine(line) ? line.replace(': ', '\uFF1A ') : undefined)),
  'colon: a no-break space behind it': ofLine((line) => (plain(line) ? line.replace(': ', ':\u00A0') : undefined)),
  'colon: a tab behind it, and no space': ofLine((line) => (endsInKey(line) ? line.replace(/:\s*$/u, ':\u00A0') : undefined)),
  'dash: no space behind it': ofLine((line) => (/^\s*- [a-z{]/u.test(line) ? line.replace('- ', '-') : undefined)),
  'dash: a bullet': ofLine((line) => (/^\s*- /u.test(line) ? line.replace('- ', '\u2022 ') : undefined)),
  'dash: an en dash': ofLine((line) => (/^\s*- /u.test(line) ? line.replace('- ', '\u2013 ') : undefined)),
  'dash: a star': ofLine((line) => (/^\s*- /u.test(line) ? line.replace('- ', '* ') : undefined)),
  'dash: a number': ofLine((line) => (/^\s*- /u.test(line) ? line.replace('- ', '1. ') : undefined)),
  'dash: missing': ofLine((line) => (/^\s*- /u.test(line) ? line.replace('- ', '') : undefined)),
  'dash: a space': ofLine((line) => (/^\s*- /u.test(line) ? line.replace('- ', '  ') : undefined)),
  'dash: a tab behind it': ofLine((line) => (/^\s*- /u.test(line) ? line.replace('- ', '-\t') : undefined)),
  'dash: alone': insertedBefore((line) => /^\s*- /u.test(line), (indent) => [`${indent}-`]),
  'quote: a double one is not closed': ofLine((line) => (isScalarLine(line) && plain(line) ? `${line.replace(': ', ': "')}` : undefined)),
  'quote: a single one is not closed': ofLine((line) => (isScalarLine(line) && plain(line) && !line.includes("'") ? `${line.replace(': ', ": '")}` : undefined)),
  'quote: the closing one is lost': ofLine((line) => (/: (?:"[^"]*"|'[^']*')$/u.test(line) ? line.slice(0, -1) : undefined)),
  'quote: another one closes': ofLine((line) => (/: '[^'"]*'$/u.test(line) ? `${line.slice(0, -1)}"` : undefined)),
  'quote: text behind it': ofLine((line) => (/: (?:"[^"]*"|'[^']*')$/u.test(line) ? `${line} and more` : undefined)),
  'text: a colon in it': ofLine((line) => (plain(line) && / description: /u.test(line) ? `${line} Note: it is new.` : undefined)),
  'text: begins with @': ofLine((line) => (plain(line) && / description: /u.test(line) ? line.replace(': ', ': @') : undefined)),
  'text: begins with a backtick': ofLine((line) => (plain(line) && / description: /u.test(line) ? line.replace(': ', ': `a` ') : undefined)),
  'text: begins with %': ofLine((line) => (plain(line) && / description: /u.test(line) ? line.replace(': ', ': %') : undefined)),
  'text: begins with a star': ofLine((line) => (plain(line) && / description: /u.test(line) ? line.replace(': ', ': *') : undefined)),
  'text: begins with an ampersand': ofLine((line) => (plain(line) && / description: /u.test(line) ? line.replace(': ', ': &') : undefined)),
  'text: begins with an exclamation mark': ofLine((line) => (plain(line) && / description: /u.test(line) ? line.replace(': ', ': !') : undefined)),
  'text: begins with a brace': ofLine((line) => (plain(line) && / description: /u.test(line) ? line.replace(': ', ': {x} ') : undefined)),
  'text: begins with a bracket': ofLine((line) => (plain(line) && / description: /u.test(line) ? line.replace(': ', ': [beta] ') : undefined)),
  'text: an unknown escape': ofLine((line) => (plain(line) && / description: [^"\\]*$/u.test(line) ? `${line.replace(': ', ': "\\d ')}"` : undefined)),
  'text: a control character': ofLine((line) => (isScalarLine(line) ? line.replace(/(?<=: ..)/u, '\u0007') : undefined)),
  'text: turns its direction': ofLine((line) => (isScalarLine(line) && / description: /u.test(line) ? `${line.replace(': ', ': \u202E')}` : undefined)),
  'text: a zero-width space': ofLine((line) => (isScalarLine(line) && / description: /u.test(line) ? line.replace(': ', ': \u200B') : undefined)),
  'text: not UTF-8': ofLine((line) => (isScalarLine(line) && / description: /u.test(line) ? line.replace(': ', ': \uFFFD') : undefined)),
  'text: | and words beside it': ofLine((line) => (plain(line) && / description: /u.test(line) ? line.replace(': ', ': | ') : undefined)),
  'text: broken without indentation': ofLine((line) => {
    const indent = ' '.repeat(FIRST_SPACES.exec(line)![0].length)
    return plain(line) && / description: \S+ \S+ \S+/u.test(line) ? line.replace(/(?<=description: \S+ \S+) /u, `\n${indent}`) : undefined
  }, (at) => [at, at + 1]),
  // A failure of the service need not be described.
  'value: missing': ofLine((line, lines, at) => (plain(line) && !/ default:/u.test(line) && !isUnder('x-failures', lines, at) ? line.replace(/: .*$/u, ':') : undefined)),
  'value: half a key before it': insertedBefore((line, lines, at) => isKeyLine(lines[at + 1] ?? '') && /^ {4,}[a-z]/u.test(line), (indent) => [`${indent}des`]),
  'value: a key that is not finished': insertedBefore((line) => /^ {4}[a-z]/u.test(line), (indent) => [`${indent}cross_service:`]),
  'value: two fields on one line': ofLine((line, lines, at) => (plain(line) && isScalarLine(lines[at + 1] ?? '') && /^\s*[a-z]/u.test(lines[at + 1]!) ? `${line} ${lines[at + 1]!.trim()}` : undefined)),
} // prettier-ignore

/** A slip between brackets, in any style. */
export const BRACKETS: Kinds = {
  'flow: a bracket is not closed': bracket(/^\[[^[\]{}]*\]$/u, ''),
  'flow: a brace is not closed': bracket(/^\{[^[\]{}]*\}$/u, ''),
  'flow: the wrong bracket closes': bracket(/^\[[^[\]{}]*\]$/u, '}'),
  'flow: the wrong brace closes': bracket(/^\{[^[\]{}]*\}$/u, ']'),
  'flow: a bracket too many': bracket(/^\[[^[\]{}]*\]$/u, ']]'),
  'flow: a brace too many': bracket(/^\{[^[\]{}]*\}$/u, '}}'),
  'flow: a comma is missing': ofSite(({ isInFlow, next, path }) => isInFlow && next !== undefined && !path.includes('x-'), ({ span, next }, { text }) => {
    const between = text.slice(span.end, next!.key.start)
    const comma = between.indexOf(',')
    return comma === -1 || between.includes('#') ? undefined : { text: text.slice(0, span.end + comma) + text.slice(span.end + comma + 1), at: [span.end, next!.key.start, span.start] }
  }),
  'flow: = for a colon': ofSite(({ isInFlow, value }) => isInFlow && value !== undefined, ({ key, span }, { text }) => ({ text: `${text.slice(0, key.end)} = ${text.slice(span.start)}`, at: [key.start] })),
  'flow: no colon': ofSite(({ isInFlow, value }) => isInFlow && value !== undefined, ({ key, span }, { text }) => ({ text: `${text.slice(0, key.end)} ${text.slice(span.start)}`, at: [key.start] })),
  'flow: no space behind a colon': ofSite(({ isInFlow, value, key }, { text }) => isInFlow && value !== undefined && !/["']/u.test(text[key.start]!) && /^[a-z]/iu.test(value.text), ({ key, span }, { text }) =>
    /^["']/u.test(span.text) ? undefined : { text: `${text.slice(0, key.end)}:${text.slice(span.start)}`, at: [key.start] }),
  'flow: a semicolon for a comma': ofSite(({ isInFlow, next }) => isInFlow && next !== undefined, ({ span, next }, { text }) => {
    const between = text.slice(span.end, next!.key.start)
    return between.trim() !== ',' ? undefined : { text: `${text.slice(0, span.end)}${between.replace(',', ';')}${text.slice(next!.key.start)}`, at: [span.start, span.end] }
  }),
  'json: a quote is lost': ofSite(({ value }, { isJson }) => isJson && value !== undefined, ({ span }, { text }) => (/^"[\w .-]+"$/u.test(span.text) ? { ...replaced(text, span.end - 1, span.end, ''), at: [span.start] } : undefined)),
  'json: a key loses its quote': ofSite((_, { isJson }) => isJson, ({ key }, { text }) => ({ ...replaced(text, key.end - 1, key.end, ''), at: [key.start] })),
  'json: a word of Python': ofSite(({ value }, { isJson }) => isJson && value?.text === 'true', ({ span }, { text }) => replaced(text, span.start, span.end, 'yes')),
} // prettier-ignore

function bracket(fits: RegExp, by: string) {
  return ofSite(
    ({ span, path }) => fits.test(span.text) && !path.includes('x-') && span.text.length > 2,
    ({ span }, { text }) => ({ ...replaced(text, span.end - 1, span.end, by), at: [span.start, span.end - 1] }),
  )
}
