import type { Report } from '../finding.js'
import { OWNER } from '../schema/view.js'
import type { CapabilityFacts, InputFacts, Rule, StepFacts, Tell, Whole } from './rule.js'

/** Runs each rule over what it speaks of. No rule stops another. */
export function runRules(rules: readonly Rule[], whole: Whole, report: Report): void {
  const plan = planOf(rules, report)
  // One object for the run, changed between calls: a fresh one for each of a million calls costs a second.
  const facts = { ...whole } as AboutCapability
  askAll(plan.manifest, whole, facts)
  for (const [name, capability] of whole.capabilities) {
    facts.name = name
    facts.capability = capability
    runOnCapability(plan, facts)
  }
}

/** Runs the rules that speak of the manifest as a whole. */
export const runOnManifest = (rules: readonly Rule[], whole: Whole, report: Report): void =>
  askAll(planOf(rules, report).manifest, whole, whole)

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
export type AboutCapability = Mutable<InputFacts & StepFacts>

type Body<Facts> = (facts: Facts, tell: Tell) => void
interface Asked<Facts> {
  readonly rule: Rule
  readonly body: Body<Facts>
  readonly tell: Tell
  readonly report: Report
}
/** The rules that have nothing to say without a field; all others stand under undefined. */
interface Group<Facts> {
  readonly needs: string | undefined
  readonly asked: Asked<Facts>[]
}
/** The rules by what they speak of. */
export interface Plan {
  readonly manifest: readonly Group<Whole>[]
  readonly capability: readonly Group<CapabilityFacts>[]
  readonly input: readonly Group<InputFacts>[]
  readonly step: readonly Group<StepFacts>[]
}

export function planOf(rules: readonly Rule[], report: Report): Plan {
  const manifest: Groups<Whole> = new Map()
  const capability: Groups<CapabilityFacts> = new Map()
  const input: Groups<InputFacts> = new Map()
  const step: Groups<StepFacts> = new Map()
  for (const rule of rules) {
    const { ofManifest, ofCapability, ofInput, ofStep } = rule
    if (ofManifest !== undefined) add(manifest, rule, ofManifest, report)
    if (ofCapability !== undefined) add(capability, rule, ofCapability, report)
    if (ofInput !== undefined) add(input, rule, ofInput, report)
    if (ofStep !== undefined) add(step, rule, ofStep, report)
  }
  return {
    manifest: [...manifest.values()],
    capability: [...capability.values()],
    input: [...input.values()],
    step: [...step.values()],
  }
}

type Groups<Facts> = Map<string | undefined, Group<Facts>>

function add<Facts>(groups: Groups<Facts>, rule: Rule, body: Body<Facts>, report: Report): void {
  const { code, needs } = rule
  const tell: Tell = (spot, message, details) => report(code, spot, message, details)
  const asked = { rule, body, report, tell }
  const group = groups.get(needs)
  if (group === undefined) groups.set(needs, { needs, asked: [asked] })
  else group.asked.push(asked)
}

export function runOnCapability(plan: Plan, facts: AboutCapability): void {
  const { capability } = facts
  askAll(plan.capability, facts, capability)
  for (const input of capability.inputs ?? []) {
    facts.input = input
    askAll(plan.input, facts, input)
  }
  for (const step of capability.composition?.steps ?? []) {
    facts.step = step
    askAll(plan.step, facts, step)
  }
}

/** Asks every rule whose field is there. */
function askAll<Facts extends Whole>(groups: readonly Group<Facts>[], facts: Facts, about: object): void {
  for (const { needs, asked } of groups)
    if (needs === undefined || needs in about) for (const each of asked) ask(each, facts)
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
