import type { Finding } from '../../finding.js'
import type { Begun } from '../excerpt.js'
import type { ScalarNode, YamlNode } from '../tree.js'
import type { Words } from './words.js'

/**
 * A scanner for the YAML that manifests are made of. It knows the common forms only, and gives up on the first
 * character that it does not know; then the full parser reads the file. What it reads, it reads as that one does.
 */
export interface Scanner {
  /** The text as it is written. */
  readonly source: string
  /** The same with LF at the end of each line. */
  readonly text: string
  /** The global offset of the text. */
  readonly base: number
  position: number
  /** Where the last token ended. */
  last: number
  depth: number
  /** The column of the block that a flow collection stands in: its lines are indented deeper. */
  blockIndent: number
  readonly words: Words
  readonly entries: EntryMemory | undefined
  /** The key of the root that the position is under. */
  section: string
  /** The entry of the root, or of `capabilities`, that was begun last. */
  begun: Begun | undefined
  readonly findings: Finding[]
}

export interface Scanned {
  readonly root?: YamlNode
  /** What was found in making the root. */
  readonly findings: readonly Finding[]
  /** The entry at which the scanner gave up. */
  readonly begun?: Begun | undefined
}

/** An entry of `capabilities` as it was read; the positions count from the start of its file. */
export interface Entry {
  readonly key: ScalarNode
  readonly value: YamlNode
  readonly start: number
  /** Where the next content stands. */
  readonly next: number
  /** Where the last token of the entry ended. */
  readonly last: number
  /** Something was found in reading it. */
  readonly isFaulty?: boolean
}

/** What a reader keeps of the capabilities that it read, so that unchanged text is not read again. */
export interface EntryMemory {
  /** Another text of the file is about to be read; only what is kept from now on counts. */
  begin(text: string): void
  /** The entry that was read from the very text that starts at a position, with its nodes moved there. */
  at(position: number): Entry | undefined
  keep(entry: Entry): void
  /** The text is read: the entries that were kept stand in this tree. */
  end(root: YamlNode): void
}

export const SPACE = 32
export const NEWLINE = 10
export const HASH = 35
export const COLON = 58
export const DASH = 45
export const COMMA = 44
export const DOUBLE_QUOTE = 34
export const SINGLE_QUOTE = 39
export const BACKSLASH = 92
export const OPEN_LIST = 91
export const CLOSE_LIST = 93
export const OPEN_MAP = 123
export const CLOSE_MAP = 125

/** Deeper than this the full parser decides. */
export const DEEPEST = 60

/** The column of the next content, past blank lines and comments; -1 at the end, -2 if a tab stands in the way. */
export function nextContent(scanner: Scanner): number {
  const { text } = scanner
  let at = scanner.position
  for (;;) {
    let start = at
    while (text.charCodeAt(at) === SPACE) at++
    const code = text.charCodeAt(at)
    if (code === NEWLINE) at++
    else if (code === HASH) at = lineEnd(text, at)
    else if (Number.isNaN(code)) return finish(scanner, at)
    else if (code === 9) return -2
    else {
      scanner.position = at
      while (start > 0 && text.charCodeAt(start - 1) !== NEWLINE) start--
      return at - start
    }
  }
}

function finish(scanner: Scanner, at: number): number {
  scanner.position = at
  return -1
}

/** The offset of the line's end, or of the text's. */
export function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at === -1 ? text.length : at
}

/** True if only blanks and a comment follow on the line; the position is then at its end. */
export function endOfLine(scanner: Scanner): boolean {
  const { text } = scanner
  let at = scanner.position
  while (text.charCodeAt(at) === SPACE) at++
  const code = text.charCodeAt(at)
  const isComment = code === HASH && at > scanner.position
  if (!isComment && code !== NEWLINE && !Number.isNaN(code)) return false
  scanner.position = isComment ? lineEnd(text, at) : at
  return true
}

/** A quoted text of one line without escapes. */
export function quotedScalar(scanner: Scanner): ScalarNode | undefined {
  const { text, position: start, base } = scanner
  const quote = text.charCodeAt(start)
  for (let at = start + 1; ; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      if (quote === SINGLE_QUOTE && text.charCodeAt(at + 1) === SINGLE_QUOTE) return undefined
      scanner.position = scanner.last = at + 1
      return { kind: 'scalar', start: base + start, end: base + at + 1, value: text.slice(start + 1, at), plain: false }
    }
    if (code === NEWLINE || Number.isNaN(code) || (code === BACKSLASH && quote === DOUBLE_QUOTE)) return undefined
  }
}

/** Whether a plain text may begin with this character, and the next one after a dash. */
export function startsPlain(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)) return true
  if (code === DASH) return isWordCharacter(text.charCodeAt(at + 1))
  return (
    code === 36 || code === 46 || code === 47 || code === 95 || code === 40 || code === 126 || code === 43 || code > 160
  )
}

const isWordCharacter = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 97 && code <= 122) || code === 46
