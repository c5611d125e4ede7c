import { findingsOf, ruleOfKind } from '../../compiler/diff/report/findings.js'
import type { DiffRun } from '../../compiler/diff/report/run.js'
import { githubReport } from '../../compiler/report/github.js'
import { sarifReport } from '../../compiler/report/sarif.js'
import { packageVersion } from '../shared/files/package-root.js'
import { rulePageUri } from '../shared/rule-pages.js'
import { repositoryOf, runFrom, sarifCategory } from '../validate/in-repository.js'

/** Findings with their paths from the root of the repository, where code scanning and annotations look for them. */
const checkedRun = (run: DiffRun) =>
  runFrom(repositoryOf(undefined), { sources: run.sources, diagnostics: findingsOf(run) })

/** The changes as SARIF 2.1.0; each kind that occurs is a rule. */
export function sarifDiff(run: DiffRun): string {
  const codes = [...new Set(run.changes.map(({ code }) => code))].toSorted()
  return sarifReport(checkedRun(run), packageVersion(), rulePageUri, sarifCategory('svc-diff'), codes.map(ruleOfKind))
}

/** The changes as annotations of a GitHub workflow. */
export const githubDiff = (run: DiffRun): string => githubReport(checkedRun(run), 'svc diff')
