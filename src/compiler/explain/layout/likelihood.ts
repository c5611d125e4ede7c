import type { Finding } from '../../finding.js'
import { ruleOf } from '../../rules/index.js'

export const isSyntax = ({ code }: Finding): boolean => ruleOf(code).role?.isSyntax === true

/** Checks whether another finding would be more precise. */
export function isVague({ code, suggestion }: Finding): boolean {
  const vague = ruleOf(code).role?.isVague
  return vague === 'always' || (vague === 'without a suggestion' && suggestion === undefined)
}

/** Rates how likely a finding comes from a wrong layout: 0 most, 3 least; undefined if the finding explains itself. */
export function likelihood(finding: Finding): number | undefined {
  const { role, severity } = ruleOf(finding.code)
  if (role?.isSyntax) return finding.isOfLayout ? 0 : undefined
  if (role?.isVague !== undefined && !isVague(finding)) return undefined
  if (role?.ofLayout === 'often') return 1
  if (role?.ofLayout === 'sometimes') return 2
  return severity === 'error' ? 3 : undefined
}

/** Findings by their likelihood, the likeliest first. */
export const byLikelihood = (findings: readonly Finding[]): readonly (readonly Finding[])[] =>
  [0, 1, 2, 3].map((rank) => findings.filter((each) => likelihood(each) === rank))

/**
 * Checks whether a wrong layout may explain the findings of the parser; undefined if that depends on the findings of
 * the rules.
 */
export function isOfLayout(findings: readonly Finding[]): boolean | undefined {
  const [layout = 0, likely = 0, missing = 0] = byLikelihood(findings).map((rank) => rank.length)
  return layout + likely > 0 || (missing > 0 ? undefined : false)
}

/** Checks whether a wrong layout may explain the findings: not if each of them explains itself. */
export const mayBeOfLayout = (findings: readonly Finding[]): boolean =>
  isOfLayout(findings) ?? findings.some((each) => likelihood(each) === 3)
