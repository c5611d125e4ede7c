import type { Input } from '../../../protocol/manifest.js'
import type { CapabilityPlan, Plan } from '../../plan/plan.js'
import { callerMayOmit, callerMaySend } from '../../plan/presence.js'
import { code, inline, table } from '../../print/markdown.js'
import type { Target } from '../target.js'
import { relationGraph } from './relation-graph.js'

/** `dist/reference.md`: the service for people who read, with a graph of what needs what. */
export const reference: Target = (plan) => [
  { path: 'dist/reference.md', ownership: 'generated', text: `${linesOf(plan).join('\n').trimEnd()}\n` },
]

function linesOf(plan: Plan): readonly string[] {
  const { name, description } = plan.manifest.service_identity
  return [
    `# ${inline(name ?? plan.serviceId)}`,
    '',
    ...(description === undefined ? [] : [inline(description), '']),
    ...table(
      ['capability', 'effect', 'scope', 'cost', 'approval'],
      plan.capabilities.map((each) => plan.remember(`overview ${each.name}`, [each], () => overviewOf(each))),
    ),
    ...relationGraph(plan),
    ...plan.capabilities.map((capability) =>
      plan.remember(`reference ${capability.name}`, [capability], () => sectionOf(capability).join('\n')),
    ),
  ]
}

const overviewOf = ({ name, declaration, financial }: CapabilityPlan): readonly string[] => [
  code(name),
  declaration.side_effect.type,
  declaration.minimum_scope.map(code).join(' '),
  financial ? inline(`${declaration.cost?.certainty ?? ''}, ${declaration.cost?.financial?.currency ?? ''}`) : '',
  declaration.approval === undefined
    ? ''
    : typeof declaration.approval.required === 'string'
      ? declaration.approval.required
      : 'on conditions',
]

function sectionOf(capability: CapabilityPlan): readonly string[] {
  const { name, declaration, about, refusals, callFailures } = capability
  const failures = [...callFailures.map(({ type }) => type), ...refusals]
  return [
    `## ${code(name)}`,
    '',
    ...about.flatMap((paragraph) => [inline(paragraph), '']),
    `Contract version ${inline(declaration.contract_version)}. Response: ${declaration.response_modes.join(' or ')}.`,
    '',
    ...table(['input', 'type', 'required', 'meaning'], declaration.inputs.map(inputRow)),
    ...table(
      ['output', 'type', 'meaning'],
      declaration.output.fields.map((field) => [code(field.name), code(field.type), inline(field.description ?? '')]),
    ),
    ...(failures.length === 0
      ? []
      : [`Beside what any call may meet, it may fail with ${failures.map(code).join(', ')}.`, '']),
  ]
}

function inputRow(input: Input): readonly string[] {
  const required = !callerMaySend(input) ? 'set by policy' : callerMayOmit(input) ? 'no' : 'yes'
  const values =
    input.allowed_values === undefined
      ? ''
      : ` One of ${input.allowed_values.map((value) => inline(JSON.stringify(value))).join(', ')}.`
  const otherwise = input.default === undefined ? '' : ` Default ${inline(JSON.stringify(input.default))}.`
  return [
    code(input.name),
    code(input.type),
    required,
    `${inline(input.description ?? '')}${values}${otherwise}`.trim(),
  ]
}
