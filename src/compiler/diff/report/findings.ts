import type { Diagnostic, Severity } from '../../diagnostics.js'
import { kindOf, type Kind } from '../kinds.js'
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
    docs: DOCS,
  }))

const severityOf = ({ effect, accepted }: ReportedChange, fails: boolean): Severity =>
  fails ? 'error' : effect === 'compatible' || accepted !== undefined ? 'info' : 'warning'

export const DOCS = 'docs/guides/change.md'

/** What a kind is to tools that list rules. */
export const ruleOfKind = (code: string) => {
  const { slug, why, effect }: Kind = kindOf(code)
  return { code, slug, description: why, severity: effect === 'compatible' ? ('info' as const) : ('error' as const) }
}
