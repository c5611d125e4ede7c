import type { Finding } from '../../finding.js'
import { ruleOf } from '../../rules/index.js'

export const isSyntax = ({ code }: Finding): boolean => ruleOf(code).role?.isSyntax === true

/** Whether another finding would say more. */
export function isVague({ code, suggestion }: Finding): boolean {
  const vague = ruleOf(code).role?.isVague
  return vague === 'always' || (vague === 'without a suggestion' && suggestion === undefined)
}

/**
 * How likely it is that the layout is wrong where something was found: 0 most, 3 least; undefined: it says itself what
 * is wrong.
 */
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

/** Whether a wrong layout may explain what was found in reading; undefined where that hangs on what the rules find. */
export function isOfLayout(findings: readonly Finding[]): boolean | undefined {
  const [layout = 0, likely = 0, missing = 0] = byLikelihood(findings).map((rank) => rank.length)
  return layout + likely > 0 || (missing > 0 ? undefined : false)
}

/** Whether a wrong layout may explain what was found: not where every finding says by itself what is wrong. */
export const mayBeOfLayout = (findings: readonly Finding[]): boolean =>
  isOfLayout(findings) ?? findings.some((each) => likelihood(each) === 3)
