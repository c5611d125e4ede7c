import { isExponential } from './ambiguity.js'
import { readPattern } from './read-pattern.js'

const LONGEST = 512
const HOSTILE =
  'The pattern can read one text in many ways, as `(a+)+` does: a validator that backtracks would hang on it. ' +
  'Repeat a part only once, or end each repetition with a character that it cannot hold.'

/** Returns why a pattern is rejected, as a sentence; undefined if it is accepted. */
export function patternTrouble(source: string): string | undefined {
  if (source.length > LONGEST) return `The pattern has ${source.length} characters; ${LONGEST} are the most.`
  const literal = literalTrouble(source)
  if (literal !== undefined) return literal
  const read = readPattern(source)
  if ('fault' in read) return `The pattern ${read.fault}.`
  const isHostile = isExponential(read.pattern)
  if (isHostile === undefined) return 'The pattern is too long to be judged; write a shorter one.'
  return isHostile ? HOSTILE : undefined
}

/** A pattern between slashes, as programs write it, matches nothing: the slashes stand outside of its `^` or `$`. */
function literalTrouble(source: string): string | undefined {
  const [, body, flags] = /^\/(\^.*|.*(?<!\\)\$)\/([a-z]*)$/su.exec(source) ?? []
  if (body === undefined) return undefined
  const cases = flags!.includes('i') ? ' There are no flags: for both cases write both, as `[A-Za-z]`.' : ''
  return `The pattern stands between slashes, which no text has there. Write \`${body}\`.${cases}`
}
