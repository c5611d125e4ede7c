import { capabilityComment } from '../plan/comments.js'
import type { CapabilityPlan, ModulePlan, Plan } from '../plan/plan.js'
import { nameText, stringText } from '../print/text.js'
import {
  fits,
  printBlock,
  printComment,
  printImport,
  printInterface,
  printIntersection,
  type Writer,
} from '../print/typescript.js'
import { mayWait, outcomeImports, printOutcome } from './client-outcomes.js'
import { modularFiles, typesOf } from './modules.js'
import type { Target } from './target.js'

/** `generated/client.ts`: one typed method a capability, on the fixed core. */
export const client: Target = (plan) =>
  modularFiles(plan, {
    name: 'client',
    module: (writer, module, up) => printClientModule(writer, plan, module, up),
    whole: printWhole,
  })

const streams = ({ context }: CapabilityPlan): boolean => context.streams

function printClientModule(writer: Writer, plan: Plan, module: ModulePlan, up: string): void {
  const { capabilities } = module
  const whole = plan.modules.length === 1
  const words = [...outcomeImports(capabilities, whole), ...(whole ? [] : ['type Registration'])]
  printImport(writer, 'import', [...words].sort(byName), 'svc-kit/client')
  const types = capabilities.flatMap(({ typeName }) => [`${typeName}Output`, `${typeName}Parameters`])
  if (types.length > 0) printImport(writer, 'import type', types, typesOf(module, up))
  writer.blankLineIfLastNot()
  if (whole && types.length > 0) writer.writeLine("export type * from './types.js'")
  writer.blankLineIfLastNot()
  for (const capability of capabilities) printOutcome(writer, capability)
  if (!whole) printCalls(writer, module)
}

/** Values first, then types, each by name. */
const byName = (a: string, b: string): number =>
  Number(a.startsWith('type ')) - Number(b.startsWith('type ')) || (a < b ? -1 : 1)

/** The calls of one module of a divided service. */
function printCalls(writer: Writer, { capabilities, typeName, identifier }: ModulePlan): void {
  printInterface(writer, `${typeName}Calls`, [], () =>
    capabilities.forEach((capability) => printMethod(writer, capability)),
  )
  writer.blankLineIfLastNot()
  const streaming = capabilities.filter(streams)
  if (streaming.length > 0) {
    printInterface(writer, `${typeName}Streams`, [], () =>
      streaming.forEach((capability) => printStream(writer, capability)),
    )
    writer.blankLineIfLastNot()
  }
  const start = `export const ${identifier}Calls: { readonly [method in keyof ${typeName}Calls]: Registration } =`
  printBlock(writer, start, () => capabilities.forEach((capability) => printRegistration(writer, capability)))
}

function printWhole(writer: Writer, plan: Plan, modules: readonly ModulePlan[]): void {
  if (modules.length > 0) printJoinedImports(writer, modules)
  const { capabilities, serviceId } = plan
  const streaming = capabilities.filter(streams)
  const streamTypes = modules
    .filter((module) => module.capabilities.some(streams))
    .map(({ typeName }) => `${typeName}Streams`)
  const block = (): void => {
    if (modules.length === 0) capabilities.forEach((capability) => printMethod(writer, capability))
    if (streamTypes.length > 0) printIntersection(writer, 'readonly streaming:', streamTypes)
    else if (streaming.length > 0)
      printBlock(writer, 'readonly streaming:', () => streaming.forEach((each) => printStream(writer, each)))
  }
  printComment(writer, [`A client of ${serviceId}. Failures are values; only transport errors are thrown.`])
  const isEmpty = modules.length > 0 ? streamTypes.length === 0 : capabilities.length === 0
  const heritage = ['Governance<Client>', ...modules.map(({ typeName }) => `${typeName}Calls`)]
  printInterface(writer, 'Client', heritage, isEmpty ? undefined : block)
  writer.blankLineIfLastNot()
  printFactory(writer, plan, modules)
}

function printJoinedImports(writer: Writer, modules: readonly ModulePlan[]): void {
  printImport(writer, 'import', ['connect', 'type ClientOptions', 'type Governance'], 'svc-kit/client')
  for (const { name, identifier, typeName, capabilities } of modules) {
    const types = [`type ${typeName}Calls`, ...(capabilities.some(streams) ? [`type ${typeName}Streams`] : [])]
    printImport(writer, 'import', [`${identifier}Calls`, ...types], `./client/${name}.js`)
  }
  writer.blankLineIfLastNot()
  writer.writeLine("export type * from './types.js'")
  for (const { name } of modules) writer.writeLine(`export type * from './client/${name}.js'`)
  writer.blankLineIfLastNot()
}

function printFactory(writer: Writer, { capabilities, serviceId }: Plan, modules: readonly ModulePlan[]): void {
  printComment(writer, [`Makes a client of ${serviceId}.`])
  printBlock(writer, 'export function createClient(options: ClientOptions): Client', () => {
    if (capabilities.length === 0) return void writer.writeLine('return connect<Client>(options, {})')
    printBlock(
      writer,
      'return connect<Client>(options,',
      () => {
        for (const { identifier } of modules) writer.writeLine(`...${identifier}Calls,`)
        if (modules.length === 0) capabilities.forEach((capability) => printRegistration(writer, capability))
      },
      '})',
    )
  })
}

function printRegistration(writer: Writer, { methodName, name, declaration, context }: CapabilityPlan): void {
  const effect = stringText(declaration.side_effect.type)
  const members = [
    `capability: ${stringText(name)}`,
    `effect: ${effect}`,
    ...(context.streams ? ['streams: true'] : []),
  ]
  const line = `${nameText(methodName)}: { ${members.join(', ')} },`
  if (fits(writer, line)) return void writer.writeLine(line)
  printBlock(
    writer,
    `${nameText(methodName)}:`,
    () => members.forEach((member) => writer.writeLine(`${member},`)),
    '},',
  )
}

function printMethod(writer: Writer, capability: CapabilityPlan): void {
  printComment(writer, capabilityComment(capability.declaration))
  printSignature(
    writer,
    capability,
    mayWait(capability) ? 'MethodOptions' : 'CallOptions',
    `Promise<${capability.typeName}Outcome>`,
  )
}

const printStream = (writer: Writer, capability: CapabilityPlan): void =>
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
  if (fits(writer, line)) return void writer.writeLine(line)
  writer.writeLine(`${nameText(methodName)}(`)
  writer.indent(() => items.forEach((item) => writer.writeLine(`${item},`)))
  writer.writeLine(`): ${returned}`)
}
