import type { Report } from '../finding.js'
import { OWNER } from '../schema/view.js'
import type { CapabilityFacts, InputFacts, Rule, StepFacts, Tell, Whole } from './rule.js'

/** Runs each rule over what it speaks of. No rule stops another. */
export function runRules(rules: readonly Rule[], whole: Whole, report: Report): void {
  const plan = planOf(rules, report)
  for (const [body, tell] of plan.manifest) body(whole, tell)
  // One object for the run, changed between calls: a fresh one for each of a million calls costs a second.
  const facts = { ...whole } as Mutable<InputFacts & StepFacts>
  for (const [name, capability] of whole.capabilities) {
    facts.name = name
    facts.capability = capability
    runOnCapability(plan, facts)
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

type Body<Facts> = (facts: Facts, tell: Tell) => void
type Bodies<Facts> = readonly (readonly [body: Body<Facts>, tell: Tell])[]
interface Plan {
  readonly manifest: Bodies<Whole>
  readonly capability: Bodies<CapabilityFacts>
  readonly input: Bodies<InputFacts>
  readonly step: Bodies<StepFacts>
}

function planOf(rules: readonly Rule[], report: Report): Plan {
  const bodies = <Facts extends Whole>(bodyOf: (rule: Rule) => Body<Facts> | undefined): Bodies<Facts> =>
    rules.flatMap((rule) => {
      const body = bodyOf(rule)
      const tell: Tell = (spot, message, details) => report(rule.code, spot, message, details)
      return body === undefined ? [] : [[guarded(rule, body, report), tell] as const]
    })
  return {
    manifest: bodies((rule) => rule.ofManifest),
    capability: bodies((rule) => rule.ofCapability),
    input: bodies((rule) => rule.ofInput),
    step: bodies((rule) => rule.ofStep),
  }
}

/** A rule that fails is a bug of ours: it is reported, and the others still run. */
function guarded<Facts extends Whole>(rule: Rule, body: Body<Facts>, report: Report): Body<Facts> {
  return (facts, tell) => {
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
}

function runOnCapability(plan: Plan, facts: Mutable<InputFacts & StepFacts>): void {
  for (const [body, tell] of plan.capability) body(facts, tell)
  for (const input of facts.capability.inputs ?? []) {
    facts.input = input
    for (const [body, tell] of plan.input) body(facts, tell)
  }
  for (const step of facts.capability.composition?.steps ?? []) {
    facts.step = step
    for (const [body, tell] of plan.step) body(facts, tell)
  }
}
