import type { ApprovalRequirement, Capability, Input, OutputField, Resolution } from '../../../protocol/manifest.js'
import type { CapabilityPlan, Plan } from '../../plan/plan.js'
import { schemasOf, type ValueSchemas } from '../../../protocol/value-schema.js'
import { callerMayOmit, callerMaySend, fieldMayBeNull } from '../../../protocol/presence.js'
import { code, inline, table, inlineValue } from '../../print/markdown.js'
import type { Target } from '../target.js'
import { factsOf, stepsWithApproval } from './capability-facts.js'
import { structuredMembers } from './structured-members.js'
import { serviceFacts } from './service-facts.js'
import { relationGraph } from './relation-graph.js'

/** `dist/reference.md`: the service for people who read, with a graph of what needs what. */
export const reference: Target = (plan) => [
  { path: 'dist/reference.md', ownership: 'generated', text: `${linesOf(plan).join('\n').trimEnd()}\n` },
]

function linesOf(plan: Plan): readonly string[] {
  const { name, description } = plan.manifest.service_identity
  const schemas = schemasOf(plan.manifest)
  const shared = JSON.stringify(schemas)
  return [
    `# ${inline(name ?? plan.serviceId)}`,
    '',
    ...(description === undefined ? [] : [inline(description), '']),
    ...serviceFacts(plan.manifest),
    ...table(
      ['capability', 'effect', 'scope', 'cost', 'approval'],
      plan.capabilities.map((each) =>
        plan.remember(`overview ${each.name}`, [each], () => overviewOf(each, plan.manifest.capabilities)),
      ),
    ),
    ...relationGraph(plan),
    ...plan.capabilities.map((capability) =>
      plan.remember(`reference ${capability.name}`, [capability, shared], () =>
        sectionOf(capability, schemas, plan.manifest.capabilities).join('\n'),
      ),
    ),
  ]
}

type Capabilities = Plan['manifest']['capabilities']

const overviewOf = (
  { name, declaration, financial }: CapabilityPlan,
  capabilities: Capabilities,
): readonly string[] => [
  code(name),
  declaration.side_effect.type,
  declaration.minimum_scope.map(code).join(' '),
  financial ? inline(`${declaration.cost?.certainty ?? ''}, ${declaration.cost?.financial?.currency ?? ''}`) : '',
  [
    ...(declaration.approval === undefined ? [] : [whenApproved(declaration.approval)]),
    ...stepsWithApproval(declaration, capabilities).map((step) => `${code(step.name)}: ${whenApproved(step.approval)}`),
  ].join('; '),
]

const whenApproved = ({ required }: ApprovalRequirement): string =>
  typeof required === 'string' ? required : 'on conditions'

function sectionOf(capability: CapabilityPlan, schemas: ValueSchemas, capabilities: Capabilities): readonly string[] {
  const { name, declaration, about, refusals, callFailures } = capability
  return [
    `## ${code(name)}`,
    '',
    ...about.flatMap((paragraph) => [inline(paragraph), '']),
    `Contract version ${inline(declaration.contract_version)}. Response: ${declaration.response_modes.join(' or ')}.`,
    '',
    ...factsOf(declaration, capabilities),
    ...table(['input', 'type', 'required', 'meaning'], declaration.inputs.map(inputRow)),
    ...table(
      ['output', 'type', 'meaning'],
      declaration.output.fields.map((field) => [
        code(field.name),
        fieldType(field, declaration),
        inline(field.description ?? ''),
      ]),
    ),
    ...table(['member', 'type', 'required', 'meaning'], structuredMembers(declaration, schemas)),
    ...table(
      ['failure', 'status', 'meaning'],
      callFailures.map(({ type, status, description }) => [code(type), String(status), inline(description)]),
    ),
    ...(refusals.length === 0
      ? []
      : [`Beside what any call may meet, it may be refused: ${refusals.map(code).join(', ')}.`, '']),
  ]
}

const fieldType = (field: OutputField, { kind }: Capability): string =>
  `${code(field.type)}${fieldMayBeNull(field, kind) ? ' or null' : ''}`

function inputRow(input: Input): readonly string[] {
  const required = !callerMaySend(input) ? 'set by policy' : callerMayOmit(input) ? 'no' : 'yes'
  return [code(input.name), code(input.type), required, meaningOf(input).join(' ')]
}

function meaningOf({
  description,
  allowed_values,
  input_meanings,
  default: otherwise,
  resolution,
  'x-sensitive': isHidden,
}: Input): readonly string[] {
  const meanings = (input_meanings ?? []).map(({ value, label }) => `${inlineValue(value)}: ${inline(label)}`)
  return [
    ...(description === undefined ? [] : [inline(description)]),
    ...(allowed_values === undefined ? [] : [`One of ${allowed_values.map(inlineValue).join(', ')}.`]),
    ...(meanings.length === 0 ? [] : [`${meanings.join('; ')}.`]),
    ...(otherwise === undefined ? [] : [`Default ${inlineValue(otherwise)}.`]),
    ...(resolution === undefined ? [] : resolutionOf(resolution)),
    ...(isHidden === true ? ['Approvers do not see it.'] : []),
  ]
}

const OUTCOMES = [
  ['on_missing', 'when missing'],
  ['on_ambiguous', 'when ambiguous'],
  ['on_unresolved', 'when unresolved'],
] as const

/** Describes how the service resolves a value. The name of a resolver is internal. */
function resolutionOf(resolution: Resolution): readonly string[] {
  const outcomes = OUTCOMES.flatMap(([member, when]) =>
    resolution[member] === undefined ? [] : [`${when} ${code(resolution[member])}`],
  )
  return [`Resolved: ${[code(resolution.mode), ...outcomes].join(', ')}.`]
}
