import type { Finding, Report } from '../finding.js'
import type { Spot } from '../parse/tree.js'
import { setOf } from '../rules/rule-set.js'
import { runOnCapability, planOf, type AboutCapability, type Plan } from '../rules/run-rules.js'
import type { CapabilityView, Rule, RuleContext } from '../rules/rule.js'
import { recall, remember, type Remembered } from './remembered.js'
import { knownOf, trackedWhole, type Known, type Looks } from './tracked-whole.js'

/** What the rules said of a capability, and what they looked at to say it. */
interface Judgement {
  readonly name: string
  readonly names: ReadonlyMap<string, Known>
  readonly findings: readonly Remembered[]
  /** Rules that looked at the whole: they are asked again each time. */
  readonly wide: readonly Rule[]
}

/** Asks the rules about each capability, or says again what they said when all that they looked at was the same. */
export function createJudgements() {
  let known = new WeakMap<CapabilityView, Judgement>()
  let codes = ''
  return (
    rules: readonly Rule[],
    whole: RuleContext,
    anchorOf: (spot: Spot) => Spot | undefined,
    report: Report,
  ): void => {
    const asked = rules.map(({ code }) => code).join(' ')
    if (asked !== codes) known = new WeakMap()
    codes = asked
    const watch = watching(rules, whole, anchorOf)
    const again = askingAgain(whole, report)
    for (const [name, capability] of whole.capabilities) {
      const before = known.get(capability)
      if (before !== undefined && before.name === name && isStill(before, whole)) again(name, capability, before)
      else known.set(capability, watch(name, capability, report))
    }
  }
}

function isStill({ names }: Judgement, whole: RuleContext): boolean {
  for (const [name, before] of names) {
    const now = knownOf(whole, name)
    if (now.view !== before.view || now.isDeclared !== before.isDeclared) return false
  }
  return true
}

/** Says again what was said, and asks the rules anew that looked at the whole. */
function askingAgain(whole: RuleContext, report: Report) {
  const plans = new Map<string, Plan>()
  const facts = { ...whole } as AboutCapability
  const tellAgain = ({ code, spot, message, ...details }: Finding): void => report(code, spot, message, details)
  return (name: string, capability: CapabilityView, { findings, wide }: Judgement): void => {
    for (const finding of findings) tellAgain(recall(finding))
    if (wide.length === 0) return
    const key = wide.map(({ code }) => code).join(' ')
    const plan = plans.get(key) ?? planOf(setOf(wide), report)
    plans.set(key, plan)
    runOnCapability(plan, Object.assign(facts, { name, capability }))
  }
}

/** Asks all rules and notes what each looks at. */
function watching(rules: readonly Rule[], whole: RuleContext, anchorOf: (spot: Spot) => Spot | undefined) {
  let asking: Rule | undefined
  let names = new Map<string, Known>()
  let wide = new Set<Rule>()
  let made: { readonly rule: Rule | undefined; readonly finding: Finding }[] = []
  const looks: Looks = {
    get names() {
      return names
    },
    wide: () => void (asking !== undefined && wide.add(asking)),
  }
  const noted = rules.map((rule) => notedRule(rule, () => (asking = rule)))
  const plan = planOf(setOf(noted), (code, spot, message, details) => {
    made.push({ rule: asking, finding: { code, spot, message, ...details } })
  })
  const facts = trackedWhole(whole, () => looks) as AboutCapability
  return (name: string, capability: CapabilityView, report: Report): Judgement => {
    names = new Map()
    wide = new Set()
    made = []
    runOnCapability(plan, Object.assign(facts, { name, capability }))
    const findings: { readonly rule: Rule | undefined; readonly finding: Remembered }[] = []
    for (const { rule, finding } of made) {
      const { code, spot, message, ...details } = finding
      report(code, spot, message, details)
      const kept = remember(finding, anchorOf)
      if (kept !== undefined) findings.push({ rule, finding: kept })
      else if (rule !== undefined) wide.add(rule)
    }
    const narrow = findings.filter(({ rule }) => rule !== undefined && !wide.has(rule)).map(({ finding }) => finding)
    return { name, names, findings: narrow, wide: rules.filter((rule) => wide.has(rule)) }
  }
}

/** A rule that says when it is asked. */
function notedRule(rule: Rule, ask: () => void): Rule {
  const { ofManifest: _, ofCapability, ofInput, ofStep, ...facts } = rule
  const noted =
    <Facts, Tell>(body: (facts: Facts, tell: Tell) => void) =>
    (about: Facts, tell: Tell): void => {
      ask()
      body(about, tell)
    }
  return {
    ...facts,
    ...(ofCapability === undefined ? {} : { ofCapability: noted(ofCapability) }),
    ...(ofInput === undefined ? {} : { ofInput: noted(ofInput) }),
    ...(ofStep === undefined ? {} : { ofStep: noted(ofStep) }),
  }
}
