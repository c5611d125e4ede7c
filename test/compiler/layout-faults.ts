import fc from 'fast-check'

/** One slip of the hand in the layout of a valid manifest. */
export interface LayoutFault {
  readonly kind: string
  /** Counted from 1. */
  readonly line: number
  readonly text: string
}

const isBlank = (line: string): boolean => /^\s*(?:#|$)/u.test(line)
const indentOf = (line: string): number => /^ */u.exec(line)![0].length
const endsInKey = (line: string): boolean => /:\s*$/u.test(line)
const moved = (line: string, by: number): string =>
  isBlank(line) ? line : ' '.repeat(Math.max(0, indentOf(line) + by)) + line.trimStart()

/** The line and those that are deeper than it. */
function blockEnd(lines: readonly string[], at: number): number {
  let end = at + 1
  while (end < lines.length && (isBlank(lines[end]!) || indentOf(lines[end]!) > indentOf(lines[at]!))) end++
  return end
}

/** The lines, some of them changed; undefined where this slip cannot happen. */
type Slip = (lines: readonly string[], at: number) => readonly string[] | undefined

const ofLine =
  (change: (line: string) => string | undefined): Slip =>
  (lines, at) => {
    const line = change(lines[at]!)
    return line === undefined || line === lines[at] ? undefined : lines.with(at, line)
  }

const ofChildren =
  (by: (key: string, first: string) => number): Slip =>
  (lines, at) => {
    const [key, first] = [lines[at]!, lines[at + 1] ?? '']
    const end = blockEnd(lines, at)
    if (!endsInKey(key) || end === at + 1 || indentOf(first) + by(key, first) < 0 || first.trimStart().startsWith('- '))
      return undefined
    return lines.map((line, index) => (index > at && index < end ? moved(line, by(key, first)) : line))
  }

const SLIPS: { readonly [kind: string]: Slip } = {
  'a line a level deeper': ofLine((line) => moved(line, 2)),
  'a line a space deeper': ofLine((line) => moved(line, 1)),
  'a line a level shallower': ofLine((line) => moved(line, -2)),
  'a line a space shallower': ofLine((line) => moved(line, -1)),
  'a key alone a level deeper': ofLine((line) => (endsInKey(line) ? moved(line, 2) : undefined)),
  'children at the column of their key': ofChildren((key, first) => indentOf(key) - indentOf(first)),
  'children a level shallower than their key': ofChildren((key, first) => indentOf(key) - 2 - indentOf(first)),
  'a dash that is a space': ofLine((line) => line.replace(/^( *)- /u, '$1  ')),
  'no dash': ofLine((line) => line.replace(/^( *)- /u, '$1')),
  'a tab after a dash': ofLine((line) => line.replace(/^( *)- /u, '$1-\t')),
  'no-break spaces': ofLine((line) => line.replace(/^ +/u, (spaces) => '\u00A0'.repeat(spaces.length))),
  'a capability at the start of its line': (lines, at) =>
    /^ {2}[a-z_]+:$/u.test(lines[at]!) ? lines.with(at, lines[at]!.trimStart()) : undefined,
  'a capability a level too deep': (lines, at) =>
    /^ {2}[a-z_]+:$/u.test(lines[at]!) && lines[at - 1] !== 'capabilities:'
      ? lines.map((line, index) => (index >= at && index < blockEnd(lines, at) ? moved(line, 2) : line))
      : undefined,
}

/** Texts in which one line, or the lines of one block, stand otherwise than they should. */
export const layoutFaults = (texts: readonly string[]): fc.Arbitrary<LayoutFault> =>
  fc
    .record({ text: fc.constantFrom(...texts), kind: fc.constantFrom(...Object.keys(SLIPS)), pick: fc.nat(100_000) })
    .map(({ text, kind, pick }) => {
      const lines = text.split('\n')
      const at = pick % lines.length
      const changed = isBlank(lines[at]!) ? undefined : SLIPS[kind]!(lines, at)
      return changed === undefined ? undefined : { kind, line: at + 1, text: changed.join('\n') }
    })
    .filter((fault) => fault !== undefined)
