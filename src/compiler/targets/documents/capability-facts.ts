import type { ApprovalRequirement, Capability, Json, ServiceCapabilityReference } from '../../../protocol/manifest.js'
import {
  APPROVAL_COMPARISONS,
  CROSS_SERVICE_LISTS,
  type ApprovalComparison,
  type ControlRequirementType,
  type CrossServiceList,
} from '../../../protocol/words.js'
import { exclusiveInputs } from '../../../protocol/exclusive-inputs.js'
import { code, inline, inlineValue } from '../../print/markdown.js'

type Capabilities = { readonly [name: string]: Capability }
type Fact = (capability: Capability, capabilities: Capabilities) => readonly string[]

/** Lists facts for callers beyond inputs and outputs: prerequisites, bindings, requirements, costs and results. */
export function factsOf(capability: Capability, capabilities: Capabilities): readonly string[] {
  const facts = FACTS.flatMap((fact) => fact(capability, capabilities))
  return facts.length === 0 ? [] : [...facts.map((fact) => `- ${fact}`), '']
}

const all = (names: readonly string[]): string => names.map(code).join(', ')
const said = (start: string, texts: readonly string[] = []): readonly string[] =>
  texts.length === 0 ? [] : [`${start} ${texts.join(', ')}.`]

const prerequisites: Fact = ({ requires = [] }) =>
  requires.map(({ capability, reason }) => `Call ${code(capability)} first: ${inline(reason)}`)

const bindings: Fact = ({ requires_binding = [] }) =>
  requires_binding.map(({ type, field, source_capability, max_age }) => {
    const source = source_capability === undefined ? '' : ` of ${code(source_capability)}`
    const age = max_age === undefined ? '' : `, ${inline(max_age)} old at most`
    return `${code(field)} names a ${code(type)}${source}${age}.`
  })

const CONTROLS: { readonly [type in ControlRequirementType]: string } = {
  cost_ceiling: 'The token must have a budget.',
  stronger_delegation_required: 'The token must be bound to this capability.',
}

const controls: Fact = ({ control_requirements = [] }) => control_requirements.map(({ type }) => CONTROLS[type])

const principals: Fact = ({ requires_principal }) =>
  requires_principal === undefined
    ? []
    : [`Only a ${requires_principal.join(' or ')} principal may call it, with a root token of its own.`]

const exclusion: Fact = (capability) => {
  const names = exclusiveInputs(capability)
  return names.length === 0 ? [] : [`One call at a time runs for the same ${names.map(code).join(' and ')}.`]
}

const approvals: Fact = ({ approval, cost }) =>
  approval === undefined
    ? []
    : [[whenOf(approval), ...whoOf(approval, cost?.financial?.currency ?? ''), grantOf(approval)].join(' ')]

/** A call waits where one of its steps does, and goes on from there (section 2.8). */
const approvalsOfSteps: Fact = (capability, capabilities) =>
  stepsWithApproval(capability, capabilities).map(
    ({ name, approval }) => `The call may wait at its step ${code(name)}. Of it: ${whenOf(approval)}`,
  )

/** The steps of a composition that have an approval of their own. */
export const stepsWithApproval = (
  { composition }: Capability,
  capabilities: Capabilities,
): readonly { readonly name: string; readonly approval: ApprovalRequirement }[] =>
  [...new Set(composition?.steps.map(({ capability }) => capability))].flatMap((name) => {
    const approval = capabilities[name]?.approval
    return approval === undefined ? [] : [{ name, approval }]
  })

/** Describes the approvers, if they are not the usual ones. */
const whoOf = ({ approvers = 1, tiers = [], preview }: ApprovalRequirement, currency: string): readonly string[] => [
  ...(approvers > 1 ? [`${approvers} different people must approve.`] : []),
  ...tiers.map((tier) => `Above ${tier.cost_above} ${currency} only ${code(tier.approver_scope)} approves.`),
  ...(preview === 'must_hold' ? ['It is asked for again where what was approved no longer holds.'] : []),
]

function whenOf({ required }: ApprovalRequirement): string {
  if (required === 'always') return 'Each call needs an approval.'
  if (required === 'handler') return 'The service decides which calls need an approval.'
  const conditions = required.when.map((condition) =>
    condition.cost === undefined
      ? comparedText(code(condition.input), condition)
      : comparedText('its cost', condition.cost),
  )
  return `A call needs an approval when ${conditions.join(' and ')}.`
}

const comparedText = (subject: string, bounds: { readonly [comparison in ApprovalComparison]?: Json }): string =>
  APPROVAL_COMPARISONS.flatMap((comparison) =>
    bounds[comparison] === undefined
      ? []
      : [`${subject} ${COMPARISONS[comparison]} ${inlineValue(bounds[comparison])}`],
  ).join(' and ')

const COMPARISONS: { readonly [comparison in ApprovalComparison]: string } = {
  equals: 'is',
  not_equals: 'is not',
  in: 'is one of',
  above: 'is above',
  at_least: 'is at least',
  below: 'is below',
  at_most: 'is at most',
}

function grantOf({ grant_policy: policy }: ApprovalRequirement): string {
  const types = policy.allowed_grant_types.map((type) =>
    type === policy.default_grant_type ? `${type}, by default` : type,
  )
  return (
    `A grant (${types.join('; ')}) lives ${policy.expires_in_seconds} s and ` +
    `has ${policy.max_uses === 1 ? '1 use' : `${policy.max_uses} uses`} at most.`
  )
}

const costs: Fact = ({ cost }) => {
  const { range_min: least, range_max: most, typical, currency = '' } = cost?.financial ?? {}
  const range = [
    ...(least === undefined ? [] : [`at least ${least}`]),
    ...(most === undefined ? [] : [`at most ${most}`]),
    ...(typical === undefined ? [] : [`typically ${typical}`]),
  ]
  const named = cost?.financial?.['x-amount-input']
  return [
    ...(typeof named === 'string' ? [`A call costs what ${code(named)} says, in ${inline(currency)}.`] : []),
    ...(range.length === 0 ? [] : [`Usually costs ${range.join(', ')} ${inline(currency)}.`]),
    ...said('What it costs is determined by:', maybe(cost?.determined_by).map(inline)),
    ...said('A call takes about', maybe(cost?.compute?.expected_duration).map(inline)),
  ]
}

const maybe = (text: string | undefined): readonly string[] => (text === undefined ? [] : [text])

const undoing: Fact = ({ side_effect: { rollback_window, compensation } }) => [
  ...said('Can be undone for', maybe(rollback_window).map(inline)),
  ...said('Is undone by', maybe(compensation).map(code)),
]

const effects: Fact = ({ business_effects: { produces, does_not_produce } = {} }) => [
  ...said('Brings about:', produces?.map(inline)),
  ...said('Never brings about:', does_not_produce?.map(inline)),
]

const steps: Fact = ({ composition }) =>
  said(
    'Calls in turn',
    composition?.steps.map(({ capability }) => code(capability)),
  )

const recoveries: Fact = ({ refresh_via, verify_via }) => [
  ...said('What is stale is made anew by', refresh_via?.map(code)),
  ...said('What it did is verified by', verify_via?.map(code)),
]

const CROSS_SERVICE: { readonly [list in CrossServiceList]: string } = {
  handoff_to: 'Hands over to',
  refresh_via: 'What is stale is made anew by',
  verify_via: 'What it did is verified by',
  followup_via: 'Is followed up by',
}

const elsewhere: Fact = ({ cross_service = {} }) =>
  CROSS_SERVICE_LISTS.flatMap((list) => said(CROSS_SERVICE[list], cross_service[list]?.map(otherText)))

const otherText = ({ service, capability }: ServiceCapabilityReference): string =>
  `${code(capability)} of ${code(service)}`

const trail: Fact = ({ observability: { retention, fields_logged = [] } = {} }) =>
  fields_logged.length === 0
    ? []
    : [`The trail keeps ${all(fields_logged)}${retention === undefined ? '' : ` for ${inline(retention)}`}.`]

const FACTS: readonly Fact[] = [
  prerequisites, bindings, controls, principals, exclusion, approvals, approvalsOfSteps, costs, undoing, effects, steps, recoveries, elsewhere, trail,
] // prettier-ignore
