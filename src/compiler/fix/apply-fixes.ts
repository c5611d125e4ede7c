import { check, type CheckOptions } from '../check.js'
import type { Diagnostic, Source, TextEdit } from '../diagnostics.js'

/** Fixes may uncover further ones; no manifest needs more rounds than this. */
const ROUNDS = 10

export interface FixOptions extends CheckOptions {
  /** True to apply guesses also. */
  readonly withGuesses?: boolean
}

/** The sources with every safe fix applied. Comments and layout stay as they are. */
export function applyFixes(sources: readonly Source[], options: FixOptions): readonly Source[] {
  let current = sources
  for (let round = 0; round < ROUNDS; round++) {
    const { diagnostics } = check(current, options)
    const fixable = diagnostics.filter(({ fix, isGuess }) => fix !== undefined && (!isGuess || options.withGuesses))
    const next = current.map((source) => ({ file: source.file, text: edited(source, fixable) }))
    if (fixable.length === 0 || !improves(diagnostics, next, options)) return current
    current = next
  }
  return current
}

/** A round that leaves as many errors as before is taken back: better no fix than a wrong one. */
function improves(before: readonly Diagnostic[], next: readonly Source[], options: CheckOptions): boolean {
  const after = check(next, options).diagnostics
  const errors = (found: readonly Diagnostic[]): number => found.filter(({ severity }) => severity === 'error').length
  return errors(after) <= errors(before) && after.length < before.length
}

function edited({ file, text }: Source, diagnostics: readonly Diagnostic[]): string {
  const edits = diagnostics.flatMap(({ fix = [] }) => fix).filter((edit) => edit.file === file)
  const ordered = edits.toSorted((one, other) => one.range.start.offset - other.range.start.offset)
  let result = ''
  let from = 0
  for (const { range, newText } of withoutOverlaps(ordered)) {
    result += text.slice(from, range.start.offset) + newText
    from = range.end.offset
  }
  return result + text.slice(from)
}

function withoutOverlaps(edits: readonly TextEdit[]): readonly TextEdit[] {
  let end = -1
  return edits.filter(({ range }) => {
    if (range.start.offset < end || (range.start.offset === end && range.end.offset === end)) return false
    end = range.end.offset
    return true
  })
}
