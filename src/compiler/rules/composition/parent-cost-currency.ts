import { OTHER_CAPABILITY } from '../why-not.js'
import { at } from '../../shape/view.js'
import { childOf } from '../facts/mappings.js'
import type { CapabilityView, Rule, StepFacts, RuleReport } from '../rule.js'

export const parentCostCurrency = {
  code: 'SVC4406',
  slug: 'parent-cost-currency',
  severity: 'error',
  source: 'D',
  section: '2.7,2.8',
  description: 'A composition and its steps cost in one currency.',
  whyNot: OTHER_CAPABILITY,
  ofStep(facts, report) {
    const own = facts.capability.cost?.financial
    const child = childOf(facts, facts.step)?.cost?.financial
    if (child?.currency === undefined) return
    if (own?.currency === undefined) return reportSteps(facts, child, report)
    if (own.currency === child.currency) return
    report(
      at(own, 'currency'),
      `The step \`${facts.step.capability}\` costs ${child.currency}, the parent declares ${own.currency}.`,
      { related: [{ span: at(child, 'currency'), message: 'The step has its currency here.' }] },
    )
  },
} satisfies Rule

type Cost = NonNullable<NonNullable<CapabilityView['cost']>['financial']>

/** Steps in two currencies have no sum that a budget could be compared with. */
function reportSteps(facts: StepFacts, cost: Cost, report: RuleReport): void {
  const [first, firstCost] = firstWithCurrency(facts) ?? []
  if (firstCost === undefined || firstCost.currency === cost.currency) return
  report(
    at(facts.step, 'capability'),
    `The step \`${facts.step.capability}\` costs ${cost.currency}, the step \`${first}\` ${firstCost.currency}; ` +
      'no budget covers both.',
    { related: [{ span: at(firstCost, 'currency'), message: `\`${first}\` has its currency here.` }] },
  )
}

function firstWithCurrency(facts: StepFacts): readonly [string, Cost] | undefined {
  for (const step of facts.capability.composition?.steps ?? []) {
    const cost = childOf(facts, step)?.cost?.financial
    if (step.capability !== undefined && cost?.currency !== undefined) return [step.capability, cost]
  }
  return undefined
}
