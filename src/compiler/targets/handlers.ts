import { capabilityComment } from '../plan/comments.js'
import type { CapabilityPlan, ContextPlan, DemandPlan } from '../plan/plan.js'
import { literalText, nameText } from '../print/text.js'
import {
  fits,
  printBlock,
  printComment,
  printImport,
  printModule,
  printUnion,
  type Writer,
} from '../print/typescript.js'
import type { Target } from './target.js'

/** `generated/handlers.ts`: the contract that the service's author keeps. */
export const handlers: Target = ({ capabilities, demands, header }) => {
  const handled = capabilities.filter(({ hasHandler }) => hasHandler)
  return [
    {
      path: 'generated/handlers.ts',
      ownership: 'generated',
      text: printModule(header, (writer) => {
        printImports(writer, handled, demands)
        for (const capability of handled) printContract(writer, capability)
        printHandlers(writer, handled)
        printPreviews(writer, demands)
        printResolvers(writer, demands)
      }),
    },
  ]
}

function printImports(writer: Writer, handled: readonly CapabilityPlan[], demands: DemandPlan): void {
  const uses = (holds: (context: ContextPlan) => boolean) => handled.some(({ context }) => holds(context))
  const names = [
    ...(uses(({ asksForApproval }) => asksForApproval) ? ['AskForApproval'] : []),
    ...(handled.length > 0 ? ['ContextBase'] : []),
    ...(uses(({ failures }) => failures.length > 0) ? ['Fail'] : []),
    ...(demands.previews.length > 0 ? ['Json'] : []),
    ...(uses(({ streams }) => streams) ? ['Progress'] : []),
    ...(uses(({ quotes }) => quotes.length > 0) ? ['Quotes'] : []),
    ...(uses(({ bound }) => bound.length > 0) ? ['ResolvedBinding'] : []),
    ...(demands.resolvers.length > 0 ? ['Resolver'] : []),
  ]
  if (names.length > 0) printImport(writer, 'import type', names, 'svc-kit/runtime')
  const types = handled.flatMap(({ typeName }) => [`${typeName}Input`, `${typeName}Output`])
  if (types.length > 0) printImport(writer, 'import type', types, './types.js')
  writer.blankLine()
}

function printContract(writer: Writer, capability: CapabilityPlan): void {
  const { name, typeName, context } = capability
  printFailures(writer, capability)
  printContext(writer, name, typeName, context)
  printComment(writer, [`${name}: ${capability.declaration.description}`])
  const parameters = [`input: ${typeName}Input`, `context: ${typeName}Context`]
  const returned = `=> ${typeName}Output | Promise<${typeName}Output>`
  const line = `export type ${typeName}Handler = (${parameters.join(', ')}) ${returned}`
  if (fits(writer, line)) writer.writeLine(line)
  else {
    writer.writeLine(`export type ${typeName}Handler = (`)
    writer.indent(() => parameters.forEach((parameter) => writer.writeLine(`${parameter},`)))
    writer.writeLine(`) ${returned}`)
  }
  writer.blankLine()
}

function printFailures(writer: Writer, { name, typeName, context: { failures } }: CapabilityPlan): void {
  if (failures.length === 0) return
  const described = failures.map(({ type, description }) => (description === '' ? type : `${type}: ${description}`))
  printComment(writer, [`How ${name} may fail.`, ...described])
  printUnion(
    writer,
    `export type ${typeName}FailureType =`,
    failures.map(({ type }) => literalText(type)),
  )
  writer.blankLine()
}

function printContext(writer: Writer, name: string, typeName: string, context: ContextPlan): void {
  const members = membersOf(typeName, context)
  printComment(writer, [`What the handler of ${name} can see and do.`])
  if (members.length === 0) writer.writeLine(`export type ${typeName}Context = ContextBase`)
  else
    printBlock(writer, `export interface ${typeName}Context extends ContextBase`, () =>
      members.forEach((print) => print(writer)),
    )
  writer.blankLine()
}

function membersOf(
  typeName: string,
  { quotes, bound, streams, asksForApproval, failures }: ContextPlan,
): readonly ((writer: Writer) => void)[] {
  const line = (text: string) => (writer: Writer) => void writer.writeLine(text)
  return [
    ...(bound.length > 0 ? [printBound(bound)] : []),
    ...(quotes.length > 0 ? [line(`readonly bindings: Quotes<${quotes.map(literalText).join(' | ')}>`)] : []),
    ...(streams ? [line('readonly progress: Progress')] : []),
    ...(asksForApproval ? [line('readonly approvalRequired: AskForApproval')] : []),
    ...(failures.length > 0 ? [line(`readonly fail: Fail<${typeName}FailureType>`)] : []),
  ]
}

const printBound = (bound: ContextPlan['bound']) => (writer: Writer) => {
  printComment(writer, ['The bindings that the caller named, looked up and found genuine and fresh.'])
  printBlock(writer, 'readonly bound:', () =>
    bound.forEach(({ field, optional }) =>
      writer.writeLine(`readonly ${nameText(field)}${optional ? '?' : ''}: ResolvedBinding`),
    ),
  )
}

function printHandlers(writer: Writer, handled: readonly CapabilityPlan[]): void {
  printComment(writer, ['A handler for each capability.'])
  printBlock(writer, 'export interface Handlers', () => {
    for (const { identifier, typeName, declaration } of handled) {
      printComment(writer, capabilityComment(declaration))
      writer.writeLine(`readonly ${nameText(identifier)}: ${typeName}Handler`)
    }
  })
  writer.blankLine()
}

function printPreviews(writer: Writer, { previews }: DemandPlan): void {
  if (previews.length === 0) return
  printComment(writer, ['What an approver is shown before deciding. A preview has no effects.'])
  printBlock(writer, 'export interface Previews', () => {
    for (const { identifier, typeName } of previews) {
      writer.writeLine(
        `readonly ${nameText(identifier)}?: (input: ${typeName}Input, context: ${typeName}Context) => Json | Promise<Json>`,
      )
    }
  })
  writer.blankLine()
}

function printResolvers(writer: Writer, { resolvers }: DemandPlan): void {
  if (resolvers.length === 0) return
  printComment(writer, ['What callers write -> what the service means.'])
  printBlock(writer, 'export interface Resolvers', () => {
    for (const reference of resolvers) writer.writeLine(`readonly ${nameText(reference)}: Resolver`)
  })
  writer.blankLine()
}
