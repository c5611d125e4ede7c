import type { Diagnostic, Severity, Source } from '../diagnostics.js'

/** Result of a run of the checker, as every reporter takes it. */
export interface CheckedRun {
  /** Every file that was read, fragments included. */
  readonly sources: readonly Source[]
  /** By file, place and code. */
  readonly diagnostics: readonly Diagnostic[]
  /** The most findings to show; all are counted. */
  readonly limit?: number
  /** The minimum severity that fails the run: `error` unless it says otherwise. */
  readonly failOn?: Severity
  /** Hidden findings that still make the run fail. */
  readonly unshown?: { readonly diagnostics: readonly Diagnostic[]; readonly failOn: Severity }
}

const WEIGHT: { readonly [severity in Severity]: number } = { error: 0, warning: 1, info: 2 }

/** Holds for a finding that makes its run fail. */
export const failsRun = ({ severity }: Diagnostic, failOn: Severity = 'error'): boolean =>
  WEIGHT[severity] <= WEIGHT[failOn]

export interface Summary {
  readonly files: number
  readonly errors: number
  readonly warnings: number
  readonly infos: number
}

export function summaryOf({ sources, diagnostics }: CheckedRun): Summary {
  const count = (severity: Severity): number => diagnostics.filter((each) => each.severity === severity).length
  return { files: sources.length, errors: count('error'), warnings: count('warning'), infos: count('info') }
}

/** The findings to show, worst first and then by place: all of them, or as many as the limit allows. */
export function shown({ diagnostics, limit = 0 }: CheckedRun): readonly Diagnostic[] {
  const worstFirst = diagnostics.toSorted((one, other) => WEIGHT[one.severity] - WEIGHT[other.severity])
  return limit > 0 ? worstFirst.slice(0, limit) : worstFirst
}

/** Holds for a finding that --fix takes away. */
export const isFixable = ({ fix, isGuess }: Diagnostic): boolean => fix !== undefined && !isGuess

/** `[*] 3 fixable with --fix, 2 more with --unsafe-fixes.`, or nothing. */
export function fixableSentence({ diagnostics }: CheckedRun): string {
  const safe = diagnostics.filter(isFixable).length
  const guessed = diagnostics.filter(({ fix }) => fix !== undefined).length - safe
  if (safe + guessed === 0) return ''
  if (safe === 0) return `[?] ${guessed} fixable with --fix --unsafe-fixes, which writes what was most likely meant.`
  return `[*] ${safe} fixable with --fix${guessed === 0 ? '' : `, [?] ${guessed} more with --unsafe-fixes`}.`
}

/** `1 error, 2 warnings in 3 files.` */
export function summarySentence(run: CheckedRun): string {
  const { sources, unshown } = run
  if (unshown !== undefined) return unshownSentence(summaryOf({ sources, ...unshown }), unshown.failOn)
  const { files, errors, warnings, infos } = summaryOf(run)
  const parts = [amount(errors, 'error'), amount(warnings, 'warning'), amount(infos, 'info')].filter(
    (part) => part !== '',
  )
  const found = parts.length === 0 ? '0 problems' : parts.join(', ')
  const hidden = run.diagnostics.length - shown(run).length
  const note =
    hidden === 0
      ? ''
      : ` SVC0011 truncated: showing ${shown(run).length} of ${run.diagnostics.length}; \`--max-problems 0\` shows all.`
  return `${found} in ${filesOf(files)}.${note}`
}

/** `0 errors, 2 warnings (not shown) in 3 files: failed by --fail-on warning.` */
function unshownSentence({ files, warnings, infos }: Summary, failOn: Severity): string {
  const parts = ['0 errors', amount(warnings, 'warning'), amount(infos, 'info')].filter((part) => part !== '')
  return `${parts.join(', ')} (not shown) in ${filesOf(files)}: failed by --fail-on ${failOn}.`
}

const filesOf = (files: number): string => `${files} ${files === 1 ? 'file' : 'files'}`

const amount = (number: number, noun: string): string =>
  number === 0 ? '' : `${number} ${noun}${number === 1 ? '' : 's'}`
