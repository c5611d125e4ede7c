import type { Diagnostic, Severity } from '../../diagnostics.js'
import { changeKindOf, type ChangeKind } from '../kinds.js'
import { failsOn, worstFirst, type DiffRun, type ReportedChange } from './run.js'

/** The changes as findings, for the formats of other tools: what fails is an error, what was accepted a note. */
export const findingsOf = ({ changes, failOn }: DiffRun): readonly Diagnostic[] =>
  worstFirst(changes).map((change) => ({
    code: change.code,
    slug: change.slug,
    severity: severityOf(change, failsOn(change, failOn)),
    message: change.accepted === undefined ? change.message : `${change.message} Accepted: ${change.accepted}`,
    path: change.at.join('/'),
    file: change.file,
    range: change.range,
    related: [],
    docs: DIFF_GUIDE,
  }))

const severityOf = ({ effect, accepted }: ReportedChange, fails: boolean): Severity =>
  fails ? 'error' : effect === 'compatible' || accepted !== undefined ? 'info' : 'warning'

export const DIFF_GUIDE = 'docs/guides/change.md'

/** Describes a kind to tools that list rules. */
export const ruleOfKind = (code: string) => {
  const { slug, why, effect }: ChangeKind = changeKindOf(code)
  return { code, slug, description: why, severity: effect === 'compatible' ? ('info' as const) : ('error' as const) }
}
