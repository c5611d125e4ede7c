import { check, type CheckOptions } from '../check.js'
import type { Diagnostic, Source, TextEdit } from '../diagnostics.js'

/** Fixes may uncover further ones; no manifest needs more rounds than this. */
const ROUNDS = 10

export interface FixOptions extends CheckOptions {
  /** True to apply guesses also. */
  readonly withGuesses?: boolean
}

/** Sources, and what is found in them. */
interface State {
  readonly sources: readonly Source[]
  readonly diagnostics: readonly Diagnostic[]
}

/** The sources with every safe fix applied. Comments and layout stay as they are. */
export function applyFixes(sources: readonly Source[], options: FixOptions): readonly Source[] {
  let state = stateOf(sources, options)
  for (let round = 0; round < ROUNDS; round++) {
    const next =
      fixedOnce(state, isSafe, options) ?? (options.withGuesses ? fixedOnce(state, isMeant, options) : undefined)
    if (next === undefined) break
    state = next
  }
  return state.sources
}

const stateOf = (sources: readonly Source[], options: CheckOptions): State => ({
  sources,
  diagnostics: check(sources, options).diagnostics,
})

type Kind = (diagnostic: Diagnostic) => boolean

const isSafe: Kind = ({ fix, isGuess }) => fix !== undefined && !isGuess
const isMeant: Kind = ({ fix, isGuess }) => fix !== undefined && isGuess === true

/** Applies the fixes of a kind; undefined where none makes the state better. */
function fixedOnce(state: State, kind: Kind, options: CheckOptions): State | undefined {
  const offered = state.diagnostics.filter(kind)
  const good = goodOf(offered, (fixes) => isBetter(state, after(state, fixes, options), fixes))
  // Halves that are good may not go together: then the first that is.
  for (const fixes of [good, ...good.map((each) => [each])]) {
    const next = after(state, fixes, options)
    if (fixes.length > 0 && isBetter(state, next, fixes)) return next
  }
  return undefined
}

/** Returns the fixes that make a state better, together or in halves: a wrong one keeps no other from being applied. */
function goodOf(
  fixes: readonly Diagnostic[],
  isGood: (fixes: readonly Diagnostic[]) => boolean,
): readonly Diagnostic[] {
  if (fixes.length === 0 || isGood(fixes)) return fixes
  if (fixes.length === 1) return []
  const half = fixes.length >> 1
  return [...goodOf(fixes.slice(0, half), isGood), ...goodOf(fixes.slice(half), isGood)]
}

const after = ({ sources }: State, fixes: readonly Diagnostic[], options: CheckOptions): State =>
  stateOf(
    sources.map((source) => ({ file: source.file, text: edited(source, fixes) })),
    options,
  )

/**
 * Holds where fixes leave fewer errors or findings, or none of those that they fix: what is readable for the first time
 * may be wrong, too. A state with more errors is none of these: better no fix than a wrong one.
 */
function isBetter(before: State, next: State, fixes: readonly Diagnostic[]): boolean {
  const more = errorsOf(next) - errorsOf(before)
  if (more !== 0) return more < 0
  return next.diagnostics.length < before.diagnostics.length || areGone(before, next, fixes)
}

const errorsOf = ({ diagnostics }: State): number => diagnostics.filter(({ severity }) => severity === 'error').length

function areGone(before: State, next: State, fixes: readonly Diagnostic[]): boolean {
  const count = ({ diagnostics }: State, { code, path }: Diagnostic): number =>
    diagnostics.filter((each) => each.code === code && each.path === path).length
  return fixes.every((fix) => count(next, fix) < count(before, fix))
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
