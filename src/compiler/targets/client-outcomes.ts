import type { CapabilityPlan } from '../plan/plan.js'
import { stringText } from '../print/text.js'
import { fits, printComment, printUnion, type Writer } from '../print/typescript.js'

/** A call that may need an approval may wait for it. */
export const mayWait = ({ refusals }: CapabilityPlan): boolean => refusals.includes('approval_required')

const takesCallOptions = (capability: CapabilityPlan): boolean => !mayWait(capability) || capability.context.streams

/** What the outcomes and methods of some capabilities import from the core; a whole client also connects. */
export const outcomeImports = (capabilities: readonly CapabilityPlan[], whole: boolean): readonly string[] => [
  ...(whole ? ['connect', 'type ClientOptions', 'type Governance'] : []),
  ...(capabilities.some(takesCallOptions) ? ['type CallOptions'] : []),
  ...GROUPS.map(([group]) => group)
    .filter((group) => capabilities.some((each) => groupsOf(each).some(([name]) => name === group)))
    .map((group) => `type ${group}`),
  ...(capabilities.length > 0 ? ['type CallRefusal', 'type Outcome', 'type Refused'] : []),
  ...(capabilities.some(({ callFailures }) => callFailures.length > 0) ? ['type Declared'] : []),
  ...(capabilities.some(mayWait) ? ['type MethodOptions'] : []),
  ...(capabilities.some(({ context }) => context.streams) ? ['type Streaming'] : []),
]

/** Failures that come together, and the name of their group in the core. */
const GROUPS: readonly (readonly [name: string, members: readonly string[]])[] = [
  ['ApprovalRefusal', ['approval_required', 'approval_grant_invalid']],
  ['BindingRefusal', ['binding_missing', 'binding_stale']],
  ['BudgetRefusal', ['budget_currency_mismatch', 'budget_exceeded']],
]

const groupsOf = ({ refusals }: CapabilityPlan) =>
  GROUPS.filter(([, members]) => members.every((member) => refusals.includes(member)))

/** Writes how a call may end: its failures as a union that a `switch` can exhaust, and its outcome. */
export function printOutcome(writer: Writer, capability: CapabilityPlan): void {
  const { name, typeName, refusals, callFailures } = capability
  const groups = groupsOf(capability)
  const grouped = groups.flatMap(([, members]) => members)
  const single = refusals.filter((refusal) => !grouped.includes(refusal))
  const types = ['CallRefusal', ...groups.map(([group]) => group), ...single.map(stringText)]
  const together = [
    `Refused<${types.join(' | ')}>`,
    ...(callFailures.length === 0 ? [] : [`Declared<${callFailures.map(stringText).join(' | ')}>`]),
  ]
  const start = `export type ${typeName}Failure =`
  printComment(writer, [`How ${name} may fail.`])
  if (together.every((member) => fits(writer, `  | ${member}`))) printUnion(writer, start, together)
  else
    printUnion(writer, start, [
      ...types.map((type) => `Refused<${type}>`),
      ...callFailures.map((type) => `Declared<${stringText(type)}>`),
    ])
  writer.writeLine(`export type ${typeName}Outcome = Outcome<${typeName}Output, ${typeName}Failure>`)
  writer.blankLineIfLastNot()
}
