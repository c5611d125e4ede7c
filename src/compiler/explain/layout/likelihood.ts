import type { Finding } from '../../finding.js'
import { ruleOf } from '../../rules/index.js'
import { isAboutLayout } from '../../parse/syntax-error.js'

export const isSyntax = ({ code }: Finding): boolean => /^SVC010[12]$/u.test(code)

/** How likely it is that the layout is wrong where something was found: 0 most, 3 least; undefined: it says itself what is wrong. */
export function likelihood(finding: Finding): number | undefined {
  const { code, message, suggestion } = finding
  if (isSyntax(finding)) return isAboutLayout(message) ? 0 : undefined
  if (code === 'SVC0202' && suggestion !== undefined) return undefined
  if (/^SVC(?:0103|0121|0202|0203|0210|0213|0214|1003)$/u.test(code)) return 1
  if (/^SVC(?:0201|1001)$/u.test(code)) return 2
  return ruleOf(code).severity === 'error' ? 3 : undefined
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
