import { replace, reportTo, type Finding, type Report } from '../finding.js'
import { RULES } from '../rules/index.js'
import type { Rule } from '../rules/rule.js'
import type { Step } from './step.js'
import { meant, nearest, question } from '../nearest.js'
import { readSuppressions, type Suppression } from './read-suppressions.js'

/**
 * Drops findings that a comment suppresses, and reports what is wrong with such comments. Errors cannot be suppressed.
 */
export const suppressed: Step = (findings, { read: { placed, roots }, rules }) => {
  const suppressions = placed.files.flatMap((file, index) => readSuppressions(file, roots[index]))
  if (suppressions.length === 0) return findings
  const more: Finding[] = []
  const covered = new Set<Finding>()
  const asked = new Set(rules.map(({ code }) => code))
  const run: Run = { found: byCode(findings), asked, named: byName(), covered, report: reportTo(more) }
  for (const suppression of suppressions) apply(suppression, run)
  return [...findings.filter((finding) => !covered.has(finding)), ...more]
}

interface Run {
  /** In the order of the text. */
  readonly found: ReadonlyMap<string, readonly Finding[]>
  /** The codes of the rules that ran. */
  readonly asked: ReadonlySet<string>
  readonly named: ReadonlyMap<string, Rule>
  readonly covered: Set<Finding>
  readonly report: Report
}

function byCode(findings: readonly Finding[]): ReadonlyMap<string, readonly Finding[]> {
  const found = new Map<string, Finding[]>()
  for (const finding of findings.toSorted((one, other) => one.span.start - other.span.start)) {
    const same = found.get(finding.code)
    if (same === undefined) found.set(finding.code, [finding])
    else same.push(finding)
  }
  return found
}

/** The findings that start within a stretch of text. */
function within(findings: readonly Finding[], { start, end }: Suppression['covers']): readonly Finding[] {
  let low = 0
  let high = findings.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (findings[middle]!.span.start < start) low = middle + 1
    else high = middle
  }
  let after = low
  while (after < findings.length && findings[after]!.span.start <= end) after++
  return findings.slice(low, after)
}

/** Rules by their codes and their names: made where a file suppresses anything, and few do. */
const byName = (): ReadonlyMap<string, Rule> =>
  new Map(RULES.flatMap((rule) => [[rule.code, rule] as const, [rule.slug, rule] as const]))

function apply(
  { word, span, codes, reason, covers }: Suppression,
  { found, asked, named, covered, report }: Run,
): void {
  if (codes.length === 0) return report('SVC0006', span, `The suppression names no rule; write ${EXAMPLE}.`)
  let isUseful = true
  for (const { code, span: place } of codes) {
    const rule = named.get(code)
    if (rule === undefined) {
      isUseful = false
      if (!reportUnknown(code, place, report)) return
    } else if (rule.severity === 'error') reportError(rule, place, report)
    else {
      const meant = within(found.get(rule.code) ?? [], covers)
      for (const each of meant) covered.add(each)
      if (meant.length > 0 || !asked.has(rule.code)) continue
      isUseful = false
      const fix = codes.length === 1 ? { fix: replace(span, '') } : {}
      report('SVC0006', place, `The suppression of ${rule.code} matches nothing; remove it.`, fix)
    }
  }
  const written = codes.map(({ code }) => code).join(', ')
  if (isUseful && reason === '') report('SVC0007', span, `Add a reason: \`# ${word} ${written} -- why\`.`)
}

const EXAMPLE = '`# svc-disable-next-line SVC6003 -- why`'

/** A code or a name as rules have it; anything else begins a reason. */
const isLikeARule = (text: string): boolean => /^(?:SVC\w*|[a-z\d]+(?:-[a-z\d]+)+)$/iu.test(text)

/** False if the rest is likely a reason without its mark, and no list of rules. */
function reportUnknown(code: string, span: Finding['span'], report: Report): boolean {
  const near = nearest(
    code,
    RULES.map((rule) => rule.code),
  )
  const isRule = isLikeARule(code)
  const hint = isRule || near !== undefined ? question(near) : ` A reason stands after \`--\`: ${EXAMPLE}.`
  report('SVC0005', span, `The suppression names \`${code}\`, which is no rule.${hint}`, meant(near))
  return isRule
}

function reportError({ code, secret }: Rule, span: Finding['span'], report: Report): void {
  const what = secret ? 'a secret' : 'an error'
  report('SVC0008', span, `${code} is ${what}, which cannot be suppressed by a comment; fix it.`)
}
