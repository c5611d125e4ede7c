import type { Severity } from '../diagnostics.js'
import type { Finding } from '../finding.js'
import { ruleOf } from '../rules/index.js'
import type { Step } from './step.js'

/** By file, place, severity and code; each once. */
export const inOrder: Step = (findings) => sorted(findings)

export function sorted(findings: readonly Finding[]): readonly Finding[] {
  const all = findings.toSorted(
    (one, other) => one.span.start - other.span.start || byWeight(one, other) || compare(one.code, other.code),
  )
  const seen = new Set<string>()
  return all.filter(({ code, span, message }) => {
    const key = `${code} ${span.start} ${message}`
    return seen.size < seen.add(key).size
  })
}

const WEIGHT: { readonly [severity in Severity]: number } = { error: 0, warning: 1, info: 2 }
const byWeight = (one: Finding, other: Finding): number =>
  WEIGHT[ruleOf(one.code).severity] - WEIGHT[ruleOf(other.code).severity]
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
