import type { Finding } from '../finding.js'
import type { Step } from './step.js'
import { ruleOf } from '../rules/index.js'
import { unquoted } from './unquoted.js'

/** Drops "undeclared name" findings that mean a declaration which is reported itself: its name is what is wrong. */
export const withoutEchoes: Step = (findings, { read }) => {
  const named = ({ span }: Finding): string => unquoted(read.placed.text(span))
  const declared = new Set(findings.filter(({ code }) => ruleOf(code).role?.isOfDeclaration).map(named))
  if (declared.size === 0) return findings
  return findings.filter(({ suggestion }) => suggestion === undefined || !declared.has(suggestion))
}
