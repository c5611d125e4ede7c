import type { Report } from '../finding.js'
import { OWNER } from '../shape/view.js'
import type { CapabilityFacts, InputFacts, Rule, StepFacts, RuleReport, RuleContext } from './rule.js'

/** Runs each rule over what it looks at; of the capabilities over these. No rule stops another. */
export function runRules(rules: readonly Rule[], context: RuleContext, report: Report, names: Iterable<string>): void {
  const plan = planOf(rules, report)
  // One object for the run, changed between calls: a fresh one for each of a million calls costs a second.
  const facts = { ...context } as AboutCapability
  runAll(plan.manifest, context)
  for (const name of names) {
    facts.name = name
    facts.capability = context.capabilities.get(name)!
    runOnCapability(plan, facts)
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
type AboutCapability = Mutable<InputFacts & StepFacts>

type Body<Facts> = (facts: Facts, report: RuleReport) => void
interface BoundRule<Facts> {
  readonly rule: Rule
  readonly body: Body<Facts>
  readonly report: RuleReport
  readonly reportAny: Report
}
/** Rules by what they look at. */
interface Bodies {
  readonly manifest: BoundRule<RuleContext>[]
  readonly capability: BoundRule<CapabilityFacts>[]
  readonly input: BoundRule<InputFacts>[]
  readonly step: BoundRule<StepFacts>[]
}
interface Plan extends Bodies {
  /** Rules that cannot report anything without a field of the capability or of the input. */
  readonly needing: readonly { readonly field: string; readonly bodies: Bodies }[]
}

function planOf(rules: readonly Rule[], report: Report): Plan {
  const fields = [...new Set(rules.flatMap(({ needs = [] }) => needs))]
  const thatNeed = (field: string | undefined): Bodies =>
    bodiesOf(
      rules.filter(({ needs }) => needs === field),
      report,
    )
  return { ...thatNeed(undefined), needing: fields.map((field) => ({ field, bodies: thatNeed(field) })) }
}

function bodiesOf(rules: readonly Rule[], reportAny: Report): Bodies {
  const bodies: Bodies = { manifest: [], capability: [], input: [], step: [] }
  for (const rule of rules) {
    const { code, ofManifest, ofCapability, ofInput, ofStep } = rule
    const report: RuleReport = (span, message, details) => reportAny(code, span, message, details)
    if (ofManifest !== undefined) bodies.manifest.push({ rule, body: ofManifest, report, reportAny })
    if (ofCapability !== undefined) bodies.capability.push({ rule, body: ofCapability, report, reportAny })
    if (ofInput !== undefined) bodies.input.push({ rule, body: ofInput, report, reportAny })
    if (ofStep !== undefined) bodies.step.push({ rule, body: ofStep, report, reportAny })
  }
  return bodies
}

/** Runs every rule; those that need a field only where the field is given. */
function runOnCapability(plan: Plan, facts: AboutCapability): void {
  const { capability } = facts
  runAll(plan.capability, facts)
  for (const { field, bodies } of plan.needing) if (field in capability) runAll(bodies.capability, facts)
  for (const input of capability.inputs ?? []) {
    facts.input = input
    runAll(plan.input, facts)
    for (const { field, bodies } of plan.needing) if (field in input) runAll(bodies.input, facts)
  }
  for (const step of capability.composition?.steps ?? []) {
    facts.step = step
    runAll(plan.step, facts)
  }
}

function runAll<Facts extends RuleContext>(rules: readonly BoundRule<Facts>[], facts: Facts): void {
  for (const each of rules) runOne(each, facts)
}

/** A rule that fails is a bug of ours: it is reported, and the others still run. */
function runOne<Facts extends RuleContext>({ rule, body, report, reportAny }: BoundRule<Facts>, facts: Facts): void {
  try {
    body(facts, report)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    reportAny(
      'SVC0012',
      facts.manifest[OWNER],
      `This is a bug in svc: the rule ${rule.code} failed (${reason}). Please report it.`,
    )
  }
}
