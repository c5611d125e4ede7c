import { capabilityComment } from '../plan/comments.js'
import type { CapabilityPlan, ModulePlan, Plan } from '../plan/plan.js'
import { importedNames, importedWords } from '../print/declarations.js'
import { nameText } from '../print/text.js'
import {
  printBlock,
  printComment,
  printGeneric,
  printImport,
  printInterface,
  type Writer,
} from '../print/typescript.js'
import { contractImports, printContract } from './handler-contract.js'
import { modularFiles, typesOf } from './modules.js'
import { sharedNames } from './types.js'
import type { Target } from './target.js'

/** `generated/handlers.ts`: the contract that the service's author keeps. */
export const handlers: Target = (plan) =>
  modularFiles(plan, {
    name: 'handlers',
    module: (writer, module, up) => printModuleContracts(writer, plan, module, up),
    whole: printWhole,
  })

const isHandled = ({ hasHandler }: CapabilityPlan): boolean => hasHandler
const hasPreview = ({ declaration, hasHandler }: CapabilityPlan): boolean =>
  declaration.approval !== undefined && hasHandler

function printModuleContracts(writer: Writer, plan: Plan, module: ModulePlan, up: string): void {
  const handled = module.capabilities.filter(isHandled)
  const whole = plan.modules.length === 1
  const words = [
    ...contractImports(handled, handled.some(hasPreview)),
    ...importedWords(handled.flatMap(({ input }) => input)),
    ...(whole && plan.demands.resolvers.length > 0 ? ['Resolver'] : []),
  ]
  if (words.length > 0) printImport(writer, 'import type', [...words].sort(), 'svc-kit/runtime')
  const types = handled.flatMap(({ typeName }) => [`${typeName}Output`, `${typeName}Parameters`])
  const narrowed = handled.flatMap(({ input }) => input)
  const shared = sharedNames(plan, narrowed)
  const own = importedNames(narrowed).filter((name) => !shared.includes(name))
  if (types.length > 0) printImport(writer, 'import type', [...types, ...own.toSorted()], typesOf(module, up))
  if (shared.length > 0) printImport(writer, 'import type', shared, `${up}values.js`)
  writer.blankLineIfLastNot()
  for (const capability of handled) printContract(writer, capability)
  const prefix = whole ? '' : module.typeName
  printHandlers(writer, `${prefix}Handlers`, handled)
  printPreviews(writer, `${prefix}Previews`, handled.filter(hasPreview))
}

function printHandlers(writer: Writer, name: string, handled: readonly CapabilityPlan[]): void {
  printComment(writer, ['A handler for each capability.'])
  if (handled.length === 0) printInterface(writer, name, [])
  else
    printBlock(writer, `export interface ${name}`, () => {
      for (const capability of handled) {
        printComment(writer, capabilityComment(capability))
        writer.writeLine(`readonly ${nameText(capability.identifier)}: ${capability.typeName}Handler`)
      }
    })
  writer.blankLineIfLastNot()
}

function printPreviews(writer: Writer, name: string, previewed: readonly CapabilityPlan[]): void {
  if (previewed.length === 0) return
  printComment(writer, ['What an approver is shown before deciding. A preview has no effects.'])
  printBlock(writer, `export interface ${name}`, () => {
    for (const { identifier, typeName } of previewed)
      printGeneric(writer, `readonly ${nameText(identifier)}?: Preview`, [`${typeName}Input`, `${typeName}Context`])
  })
  writer.blankLineIfLastNot()
}

function printWhole(writer: Writer, plan: Plan, modules: readonly ModulePlan[]): void {
  if (modules.length > 0) joinModules(writer, plan, modules)
  printResolvers(writer, plan)
}

function joinModules(writer: Writer, { demands }: Plan, modules: readonly ModulePlan[]): void {
  if (demands.resolvers.length > 0) printImport(writer, 'import type', ['Resolver'], 'svc-kit/runtime')
  const previewing = modules.filter(({ capabilities }) => capabilities.some(hasPreview))
  for (const module of modules) {
    const names = [`${module.typeName}Handlers`, ...(previewing.includes(module) ? [`${module.typeName}Previews`] : [])]
    printImport(writer, 'import type', names, `./handlers/${module.name}.js`)
  }
  writer.blankLineIfLastNot()
  for (const { name } of modules) writer.writeLine(`export type * from './handlers/${name}.js'`)
  writer.blankLineIfLastNot()
  printComment(writer, ['A handler for each capability.'])
  printInterface(
    writer,
    'Handlers',
    modules.map(({ typeName }) => `${typeName}Handlers`),
  )
  writer.blankLineIfLastNot()
  if (previewing.length === 0) return
  printComment(writer, ['What an approver is shown before deciding. A preview has no effects.'])
  printInterface(
    writer,
    'Previews',
    previewing.map(({ typeName }) => `${typeName}Previews`),
  )
  writer.blankLineIfLastNot()
}

function printResolvers(writer: Writer, { demands: { resolvers } }: Plan): void {
  if (resolvers.length === 0) return
  printComment(writer, ['What callers write -> what the service means.'])
  printBlock(writer, 'export interface Resolvers', () => {
    for (const reference of resolvers) writer.writeLine(`readonly ${nameText(reference)}: Resolver`)
  })
}
