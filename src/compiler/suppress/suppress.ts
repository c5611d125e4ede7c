import { replace, type Finding, type Report } from '../finding.js'
import { RULES } from '../rules/index.js'
import type { Rule } from '../rules/rule.js'
import { nearest, question } from '../schema/nearest.js'
import type { Suppression } from './read-suppressions.js'

/** The findings that no suppression covers, and what is wrong with the suppressions. Errors cannot be suppressed. */
export function suppress(
  findings: readonly Finding[],
  suppressions: readonly Suppression[],
  rules: readonly Rule[],
): readonly Finding[] {
  if (suppressions.length === 0) return findings
  const more: Finding[] = []
  const report: Report = (code, spot, message, details) => more.push({ code, spot, message, ...details })
  const covered = new Set<Finding>()
  for (const suppression of suppressions) apply(suppression, findings, rules, covered, report)
  return [...findings.filter((finding) => !covered.has(finding)), ...more]
}

function apply(
  suppression: Suppression,
  findings: readonly Finding[],
  rules: readonly Rule[],
  covered: Set<Finding>,
  report: Report,
): void {
  const { spot, codes, reason, covers } = suppression
  let isUseful = codes.length > 0
  for (const { code, spot: place } of codes) {
    const rule = RULES.find((each) => each.code === code || each.slug === code)
    if (rule === undefined) reportUnknown(code, place, report)
    else if (rule.severity === 'error') reportError(rule, place, report)
    else {
      const found = findings.filter(
        (each) => each.code === rule.code && each.spot.start >= covers.start && each.spot.start <= covers.end,
      )
      for (const each of found) covered.add(each)
      if (found.length > 0 || !rules.some((each) => each.code === rule.code)) continue
      isUseful = false
      const fix = codes.length === 1 ? { fix: replace(spot, '') } : {}
      report('SVC0006', place, `The suppression of ${rule.code} matches nothing; remove it.`, fix)
    }
  }
  if (isUseful && reason === '') report('SVC0007', spot, 'Add a reason: `# svc-disable-next-line SVC6003 -- why`.')
}

function reportUnknown(code: string, spot: Finding['spot'], report: Report): void {
  const near = nearest(
    code,
    RULES.map((rule) => rule.code),
  )
  report(
    'SVC0005',
    spot,
    `The suppression names \`${code}\`, which is no rule.${question(near)}`,
    near === undefined ? {} : { suggestion: near },
  )
}

function reportError({ code, secret }: Rule, spot: Finding['spot'], report: Report): void {
  const what = secret ? 'a secret' : 'an error'
  report('SVC0008', spot, `${code} is ${what}, which cannot be suppressed by a comment; mend it.`)
}
