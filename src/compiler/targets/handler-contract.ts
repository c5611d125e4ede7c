import type { CapabilityPlan, ContextPlan } from '../plan/plan.js'
import { printNarrowed } from '../print/declarations.js'
import { literalText, nameText } from '../print/text.js'
import { fitsOneLine, printBlock, printComment, printGeneric, printUnion, type Writer } from '../print/typescript.js'

/** Returns the imports of the contracts from the runtime. */
export function contractImports(handled: readonly CapabilityPlan[], hasPreviews: boolean): readonly string[] {
  const uses = (holds: (context: ContextPlan) => boolean): boolean => handled.some(({ context }) => holds(context))
  return [
    ...(uses(({ asksForApproval }) => asksForApproval) ? ['AskForApproval'] : []),
    ...(handled.length > 0 ? ['ContextBase'] : []),
    ...(uses(({ failures }) => failures.length > 0) ? ['Fail'] : []),
    ...(hasPreviews ? ['Preview'] : []),
    ...(uses(({ bound }) => bound.some(({ isPriced }) => isPriced)) ? ['PricedBinding'] : []),
    ...(uses(({ streams }) => streams) ? ['Progress'] : []),
    ...(uses(({ quotes }) => quotes.length > 0) ? ['Quotes'] : []),
    ...(uses(({ bound }) => bound.some(({ isPriced }) => !isPriced)) ? ['ResolvedBinding'] : []),
  ]
}

/** Writes what a handler gets, may fail with, can see and do, and its type. */
export function printContract(writer: Writer, capability: CapabilityPlan): void {
  printInput(writer, capability)
  printFailures(writer, capability)
  printContext(writer, capability)
  printHandler(writer, capability)
}

function printInput(writer: Writer, { name, typeName, input }: CapabilityPlan): void {
  const comment = [`What the handler of ${name} gets: resolved, defaulted and checked.`]
  printNarrowed(writer, `${typeName}Input`, comment, `${typeName}Parameters`, input)
}

function printHandler(writer: Writer, { typeName }: CapabilityPlan): void {
  const parameters = [`input: ${typeName}Input`, `context: ${typeName}Context`]
  const returned = `=> ${typeName}Output | Promise<${typeName}Output>`
  const line = `export type ${typeName}Handler = (${parameters.join(', ')}) ${returned}`
  if (fitsOneLine(writer, line)) writer.writeLine(line)
  else {
    writer.writeLine(`export type ${typeName}Handler = (`)
    writer.indent(() => parameters.forEach((parameter) => writer.writeLine(`${parameter},`)))
    writer.writeLine(`) ${returned}`)
  }
  writer.blankLineIfLastNot()
}

function printFailures(writer: Writer, { name, typeName, context: { failures } }: CapabilityPlan): void {
  if (failures.length === 0) return
  const described = failures.map(({ type, description }) => (description === '' ? type : `${type}: ${description}`))
  printComment(writer, [`How ${name} may fail.`, ...described])
  const members = failures.map(({ type }) => literalText(type))
  printUnion(writer, `export type ${typeName}FailureType =`, members)
  writer.blankLineIfLastNot()
}

function printContext(writer: Writer, { name, typeName, context }: CapabilityPlan): void {
  const members = membersOf(typeName, context)
  printComment(writer, [`What the handler of ${name} can see and do.`])
  if (members.length === 0) writer.writeLine(`export type ${typeName}Context = ContextBase`)
  else
    printBlock(writer, `export interface ${typeName}Context extends ContextBase`, () =>
      members.forEach((print) => print(writer)),
    )
  writer.blankLineIfLastNot()
}

type Print = (writer: Writer) => void

function membersOf(
  typeName: string,
  { quotes, bound, streams, asksForApproval, failures }: ContextPlan,
): readonly Print[] {
  const line = (text: string) => (writer: Writer) => void writer.writeLine(text)
  return [
    ...(bound.length > 0 ? [printBound(bound)] : []),
    ...(quotes.length > 0 ? [printQuotes(quotes)] : []),
    ...(streams ? [line('readonly progress: Progress')] : []),
    ...(asksForApproval ? [line('readonly approvalRequired: AskForApproval')] : []),
    ...(failures.length > 0 ? [line(`readonly fail: Fail<${typeName}FailureType>`)] : []),
  ]
}

const printQuotes = (quotes: ContextPlan['quotes']) => (writer: Writer) => {
  const priced = quotes.filter(({ isPriced }) => isPriced)
  const types = [quotes, ...(priced.length > 0 ? [priced] : [])].map((each) => each.map(({ type }) => type))
  printOneOfEach(writer, 'readonly bindings: Quotes', types)
}

/** Writes a type that takes, in each place, one of these words. */
function printOneOfEach(writer: Writer, start: string, places: readonly (readonly string[])[]): void {
  const unions = places.map((words) => words.map(literalText).join(' | '))
  const areShort = places.every((words, index) => words.length === 1 || fitsOneLine(writer, `  ${unions[index]!}`))
  if (places.every(({ length }) => length === 1)) return void writer.writeLine(`${start}<${unions.join(', ')}>`)
  if (areShort) return printGeneric(writer, start, unions)
  writer.writeLine(`${start}<`)
  writer.indent(() => places.forEach((words, index) => printPlace(writer, words, index < places.length - 1 ? ',' : '')))
  writer.writeLine('>')
}

function printPlace(writer: Writer, words: readonly string[], end: string): void {
  const members = words.map(literalText)
  const union = members.join(' | ')
  if (members.length === 1 || fitsOneLine(writer, `${union}${end}`)) return void writer.writeLine(`${union}${end}`)
  members.forEach((member, index) => writer.writeLine(`| ${member}${index === members.length - 1 ? end : ''}`))
}

const printBound = (bound: ContextPlan['bound']) => (writer: Writer) => {
  printComment(writer, ['The bindings that the caller named, looked up and found genuine and fresh.'])
  printBlock(writer, 'readonly bound:', () =>
    bound.forEach(({ field, types, optional, isPriced }) =>
      printOneOfEach(
        writer,
        `readonly ${nameText(field)}${optional ? '?' : ''}: ${isPriced ? 'Priced' : 'Resolved'}Binding`,
        [types],
      ),
    ),
  )
}
