import { later } from '../../protocol/later.js'
import type { Report } from '../finding.js'
import { OWNER } from '../shape/view.js'
import type { CapabilityFacts, InputFacts, Rule, RuleSet, StepFacts, Tell, Whole } from './rule.js'

/** Runs each rule over what it speaks of. No rule stops another. */
export function runRules(rules: RuleSet, whole: Whole, report: Report): void {
  const plan = planOf(rules, report)
  // One object for the run, changed between calls: a fresh one for each of a million calls costs a second.
  const facts = { ...whole } as AboutCapability
  askAll(plan.manifest, whole)
  for (const [name, capability] of whole.capabilities) {
    facts.name = name
    facts.capability = capability
    runOnCapability(plan, facts)
  }
}

/** Runs the rules that speak of the manifest as a whole. */
export const runOnManifest = (rules: RuleSet, whole: Whole, report: Report): void =>
  askAll(planOf(rules, report).manifest, whole)

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
export type AboutCapability = Mutable<InputFacts & StepFacts>

type Body<Facts> = (facts: Facts, tell: Tell) => void
interface Asked<Facts> {
  readonly rule: Rule
  readonly body: Body<Facts>
  readonly tell: Tell
  readonly report: Report
}
/** Rules by what they speak of. */
interface Bodies {
  readonly manifest: Asked<Whole>[]
  readonly capability: Asked<CapabilityFacts>[]
  readonly input: Asked<InputFacts>[]
  readonly step: Asked<StepFacts>[]
}
export interface Plan extends Bodies {
  /** What has nothing to say without a field of the capability or of the input. */
  readonly needing: readonly { readonly field: string; readonly bodies: () => Bodies }[]
}

export const planOf = ({ always, needing }: RuleSet, report: Report): Plan => ({
  ...bodiesOf(always, report),
  needing: Object.entries(needing).map(([field, rules]) => ({ field, bodies: later(() => bodiesOf(rules(), report)) })),
})

function bodiesOf(rules: readonly Rule[], report: Report): Bodies {
  const bodies: Bodies = { manifest: [], capability: [], input: [], step: [] }
  for (const rule of rules) {
    const { code, ofManifest, ofCapability, ofInput, ofStep } = rule
    const tell: Tell = (spot, message, details) => report(code, spot, message, details)
    if (ofManifest !== undefined) bodies.manifest.push({ rule, body: ofManifest, tell, report })
    if (ofCapability !== undefined) bodies.capability.push({ rule, body: ofCapability, tell, report })
    if (ofInput !== undefined) bodies.input.push({ rule, body: ofInput, tell, report })
    if (ofStep !== undefined) bodies.step.push({ rule, body: ofStep, tell, report })
  }
  return bodies
}

/** Asks every rule; those that need a field only where it is there. */
export function runOnCapability(plan: Plan, facts: AboutCapability): void {
  const { capability } = facts
  askAll(plan.capability, facts)
  for (const { field, bodies } of plan.needing) if (field in capability) askAll(bodies().capability, facts)
  for (const input of capability.inputs ?? []) {
    facts.input = input
    askAll(plan.input, facts)
    for (const { field, bodies } of plan.needing) if (field in input) askAll(bodies().input, facts)
  }
  for (const step of capability.composition?.steps ?? []) {
    facts.step = step
    askAll(plan.step, facts)
  }
}

function askAll<Facts extends Whole>(asked: readonly Asked<Facts>[], facts: Facts): void {
  for (const each of asked) ask(each, facts)
}

/** A rule that fails is a bug of ours: it is reported, and the others still run. */
function ask<Facts extends Whole>({ rule, body, tell, report }: Asked<Facts>, facts: Facts): void {
  try {
    body(facts, tell)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    report(
      'SVC0012',
      facts.manifest[OWNER],
      `This is a bug in svc: the rule ${rule.code} failed (${reason}). Please report it.`,
    )
  }
}
