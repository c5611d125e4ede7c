import type { Report } from '../finding.js'
import type { CapabilityFacts, InputView, Rule, StepView, Tell, Whole } from './rule.js'

/** Runs each rule over what it speaks of. No rule stops another. */
export function runRules(rules: readonly Rule[], whole: Whole, report: Report): void {
  const plan = planOf(rules, report)
  for (const [body, tell] of plan.manifest) body(whole, tell)
  for (const [name, capability] of whole.capabilities) runOnCapability(plan, { ...whole, name, capability })
}

type Bodies<Body> = readonly (readonly [body: Body, tell: Tell])[]
interface Plan {
  readonly manifest: Bodies<NonNullable<Rule['ofManifest']>>
  readonly capability: Bodies<NonNullable<Rule['ofCapability']>>
  readonly input: Bodies<NonNullable<Rule['ofInput']>>
  readonly step: Bodies<NonNullable<Rule['ofStep']>>
}

function planOf(rules: readonly Rule[], report: Report): Plan {
  const bodies = <Name extends 'ofManifest' | 'ofCapability' | 'ofInput' | 'ofStep'>(name: Name) =>
    rules.flatMap((rule) => {
      const body = rule[name]
      const tell: Tell = (spot, message, details) => report(rule.code, spot, message, details)
      return body === undefined ? [] : [[body, tell] as const]
    })
  return {
    manifest: bodies('ofManifest'),
    capability: bodies('ofCapability'),
    input: bodies('ofInput'),
    step: bodies('ofStep'),
  }
}

function runOnCapability(plan: Plan, facts: CapabilityFacts): void {
  for (const [body, tell] of plan.capability) body(facts, tell)
  const inputs: readonly InputView[] = facts.capability.inputs ?? []
  for (const input of inputs) for (const [body, tell] of plan.input) body({ ...facts, input }, tell)
  const steps: readonly StepView[] = facts.capability.composition?.steps ?? []
  for (const step of steps) for (const [body, tell] of plan.step) body({ ...facts, step }, tell)
}
