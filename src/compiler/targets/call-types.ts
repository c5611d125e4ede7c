import type { FailureType } from '../../protocol/failures.js'
import { capabilityComment } from '../plan/comments.js'
import type { CapabilityPlan, ModulePlan } from '../plan/plan.js'
import { nameText, stringText } from '../print/text.js'
import {
  fitsOneLine,
  printComment,
  printGeneric,
  printInterface,
  printUnion,
  type Writer,
} from '../print/typescript.js'

const streams = ({ context }: CapabilityPlan): boolean => context.streams

/** A call that may need an approval may wait for it. */
const mayWait = ({ refusals }: CapabilityPlan): boolean => refusals.includes('approval_required')

/** Returns the core imports for the outcomes of some capabilities. */
export const outcomeImports = (capabilities: readonly CapabilityPlan[]): readonly string[] => [
  ...GROUPS.map(([group]) => group).filter((group) =>
    capabilities.some((each) => groupsOf(each).some(([name]) => name === group)),
  ),
  ...(capabilities.length > 0 ? ['CallRefusal', 'Outcome', 'Refused'] : []),
  ...(capabilities.some(({ callFailures }) => callFailures.length > 0) ? ['Declared'] : []),
]

/** Returns the core imports for the methods of some capabilities. */
export const methodImports = (capabilities: readonly CapabilityPlan[]): readonly string[] => [
  ...(capabilities.some(mayWait) ? ['ApprovableCall'] : []),
  ...(capabilities.some((each) => !mayWait(each) || streams(each)) ? ['CallOptions'] : []),
  ...(capabilities.some(streams) ? ['Streaming'] : []),
]

/** Failures that come together, and the name of their group in the core. */
const GROUPS: readonly (readonly [name: string, members: readonly FailureType[]])[] = [
  ['ApprovalRefusal', ['approval_required', 'approval_denied', 'approval_returned', 'approval_grant_invalid']],
  ['BindingRefusal', ['binding_missing', 'binding_stale']],
  ['BudgetRefusal', ['budget_currency_mismatch', 'budget_exceeded']],
]

const groupsOf = ({ refusals }: CapabilityPlan) =>
  GROUPS.filter(([, members]) => members.every((member) => refusals.includes(member)))

/** Writes how a call may end: its failures as a union that a `switch` can exhaust, and its outcome. */
export function printOutcome(writer: Writer, capability: CapabilityPlan): void {
  const { name, typeName, callFailures } = capability
  const described = callFailures.map(({ type, description }) => (description === '' ? type : `${type}: ${description}`))
  if (described.length > 0) printComment(writer, [`How ${name} may fail.`, ...described])
  printFailures(writer, capability)
  printGeneric(writer, `export type ${typeName}Outcome = Outcome`, [`${typeName}Output`, `${typeName}Failure`])
  writer.blankLineIfLastNot()
}

function printFailures(writer: Writer, capability: CapabilityPlan): void {
  const groups = groupsOf(capability)
  const grouped = groups.flatMap(([, members]) => members)
  const single = capability.refusals.filter((refusal) => !grouped.includes(refusal))
  const types = ['CallRefusal', ...groups.map(([group]) => group), ...single.map(stringText)]
  const declared = [...new Set(capability.callFailures.map(({ type }) => stringText(type)))]
  const together = [
    `Refused<${types.join(' | ')}>`,
    ...(declared.length === 0 ? [] : [`Declared<${declared.join(' | ')}>`]),
  ]
  const each = [...types.map((type) => `Refused<${type}>`), ...declared.map((type) => `Declared<${type}>`)]
  const start = `export type ${capability.typeName}Failure =`
  if (!together.every((member) => fitsOneLine(writer, `  | ${member}`))) return printUnion(writer, start, each)
  if (declared.length === 0) printGeneric(writer, `${start} Refused`, [types.join(' | ')])
  else printUnion(writer, start, together)
}

/** Writes the calls of one module of a divided service, and those that stream. */
export function printCallInterfaces(writer: Writer, { capabilities, typeName }: ModulePlan): void {
  printInterface(writer, `${typeName}Calls`, [], () => capabilities.forEach((each) => printMethod(writer, each)))
  writer.blankLineIfLastNot()
  const streaming = capabilities.filter(streams)
  if (streaming.length === 0) return
  printInterface(writer, `${typeName}Streams`, [], () => streaming.forEach((each) => printStream(writer, each)))
  writer.blankLineIfLastNot()
}

/** Writes the method that invokes a capability. */
export function printMethod(writer: Writer, capability: CapabilityPlan): void {
  printComment(writer, capabilityComment(capability))
  if (mayWait(capability)) printApprovable(writer, capability)
  else printSignature(writer, capability, 'CallOptions', `Promise<${capability.typeName}Outcome>`)
}

const printApprovable = (writer: Writer, { methodName, typeName }: CapabilityPlan): void =>
  printGeneric(writer, `readonly ${nameText(methodName)}: ApprovableCall`, [
    `${typeName}Parameters`,
    `${typeName}Outcome`,
  ])

/** Writes the method that follows a capability's progress. */
export const printStream = (writer: Writer, capability: CapabilityPlan): void =>
  printSignature(writer, capability, 'CallOptions', `Streaming<${capability.typeName}Outcome>`)

function printSignature(
  writer: Writer,
  { methodName, typeName, parameters }: CapabilityPlan,
  options: string,
  returned: string,
): void {
  const mark = parameters.every(({ optional }) => optional) ? '?' : ''
  const items = [`parameters${mark}: ${typeName}Parameters`, `options?: ${options}`]
  const line = `${nameText(methodName)}(${items.join(', ')}): ${returned}`
  if (fitsOneLine(writer, line)) return void writer.writeLine(line)
  writer.writeLine(`${nameText(methodName)}(`)
  writer.indent(() => items.forEach((item) => writer.writeLine(`${item},`)))
  writer.writeLine(`): ${returned}`)
}
