import type { CapabilityPlan, ModulePlan, Plan } from '../plan/plan.js'
import { nameText, stringText } from '../print/text.js'
import {
  fitsOneLine,
  printBlock,
  printComment,
  printImport,
  printInterface,
  printIntersection,
  type Writer,
} from '../print/typescript.js'
import { methodImports, printMethod, printStream } from './call-types.js'
import { modularFiles, typesOf } from './modules.js'
import type { Target } from './target.js'

/**
 * `generated/client.ts`: one typed method a capability, on the fixed core. In a divided service each module lists its
 * calls.
 */
export const client: Target = (plan) =>
  modularFiles(plan, {
    name: 'client',
    module: (writer, module, up) => {
      if (plan.modules.length > 1) printRegistry(writer, module, up)
    },
    whole: (writer, _, modules) =>
      modules.length === 0 ? printOnly(writer, plan) : printJoined(writer, plan, modules),
  })

const streams = ({ context }: CapabilityPlan): boolean => context.streams

/** The methods of one module -> what the core knows of them. */
function printRegistry(writer: Writer, module: ModulePlan, up: string): void {
  const { capabilities, typeName, identifier } = module
  printImport(writer, 'import type', ['Registration'], 'svc-kit/client')
  printImport(writer, 'import type', [`${typeName}Calls`], typesOf(module, up))
  writer.blankLineIfLastNot()
  const start = `export const ${identifier}Calls: { readonly [method in keyof ${typeName}Calls]: Registration } =`
  printBlock(writer, start, () => capabilities.forEach((capability) => printRegistration(writer, capability)))
}

/** The client of a service that is not divided. */
function printOnly(writer: Writer, plan: Plan): void {
  const { capabilities } = plan
  const words = ['ClientOptions', 'Governance', ...methodImports(capabilities)].sort()
  printImport(writer, 'import', ['connect', ...words.map((word) => `type ${word}`)], 'svc-kit/client')
  const types = capabilities.flatMap(({ typeName }) => [`${typeName}Outcome`, `${typeName}Parameters`])
  if (types.length > 0) printImport(writer, 'import type', types, './types.js')
  writer.blankLineIfLastNot()
  if (types.length > 0) writer.writeLine("export type * from './types.js'")
  writer.blankLineIfLastNot()
  const streaming = capabilities.filter(streams)
  const block = (): void => {
    capabilities.forEach((capability) => printMethod(writer, capability))
    if (streaming.length > 0)
      printBlock(writer, 'readonly streaming:', () => streaming.forEach((each) => printStream(writer, each)))
  }
  printClient(writer, plan, [], capabilities.length === 0 ? undefined : block)
  printFactory(writer, plan, () => capabilities.forEach((capability) => printRegistration(writer, capability)))
}

/** The client of a divided service. */
function printJoined(writer: Writer, plan: Plan, modules: readonly ModulePlan[]): void {
  const streaming = modules.filter(({ capabilities }) => capabilities.some(streams))
  const streamTypes = streaming.map(({ typeName }) => `${typeName}Streams`)
  printImport(writer, 'import', ['connect', 'type ClientOptions', 'type Governance'], 'svc-kit/client')
  for (const { name, identifier } of modules)
    printImport(writer, 'import', [`${identifier}Calls`], `./client/${name}.js`)
  printImport(writer, 'import type', [...callTypes(modules), ...streamTypes].sort(), './types.js')
  writer.blankLineIfLastNot()
  writer.writeLine("export type * from './types.js'")
  writer.blankLineIfLastNot()
  const block = (): void => printIntersection(writer, 'readonly streaming:', streamTypes)
  printClient(writer, plan, callTypes(modules), streamTypes.length === 0 ? undefined : block)
  printFactory(writer, plan, () => modules.forEach(({ identifier }) => writer.writeLine(`...${identifier}Calls,`)))
}

const callTypes = (modules: readonly ModulePlan[]): readonly string[] =>
  modules.map(({ typeName }) => `${typeName}Calls`)

function printClient(writer: Writer, { serviceId }: Plan, calls: readonly string[], block?: () => void): void {
  printComment(writer, [`A client of ${serviceId}. Failures are values; only transport errors are thrown.`])
  printInterface(writer, 'Client', ['Governance<Client>', ...calls], block)
  writer.blankLineIfLastNot()
}

function printFactory(writer: Writer, { capabilities, serviceId, manifestKeys }: Plan, block: () => void): void {
  const pins = manifestKeys.length === 0 ? '' : ', MANIFEST_KEYS'
  if (manifestKeys.length > 0) printPins(writer, manifestKeys)
  printComment(writer, [`Makes a client of ${serviceId}.`])
  printBlock(writer, 'export function createClient(options: ClientOptions): Client', () => {
    if (capabilities.length === 0) writer.writeLine(`return connect<Client>(options, {}${pins})`)
    else printBlock(writer, 'return connect<Client>(options,', block, `}${pins})`)
  })
}

/** The keys that may sign the manifest, which `svc.lock.json` pins. */
function printPins(writer: Writer, manifestKeys: readonly string[]): void {
  printComment(writer, ['The keys that may sign the manifest, as svc.lock.json pins them.'])
  writer.writeLine('const MANIFEST_KEYS = [')
  for (const kid of manifestKeys) writer.writeLine(`  ${stringText(kid)},`)
  writer.writeLine(']')
  writer.blankLineIfLastNot()
}

function printRegistration(writer: Writer, capability: CapabilityPlan): void {
  const { methodName, name, declaration, context, refusals } = capability
  const members = [
    `capability: ${stringText(name)}`,
    `effect: ${stringText(declaration.side_effect.type)}`,
    ...(declaration.side_effect.type === 'read' && refusals.includes('budget_exceeded') ? ['costs: true'] : []),
    ...(refusals.includes('approval_required') ? ['approvable: true'] : []),
    ...(context.streams ? ['streams: true'] : []),
    ...(declaration.response_modes.includes('unary') ? [] : ['unary: false']),
  ]
  const line = `${nameText(methodName)}: { ${members.join(', ')} },`
  if (fitsOneLine(writer, line)) return void writer.writeLine(line)
  const write = (): void => members.forEach((member) => writer.writeLine(`${member},`))
  printBlock(writer, `${nameText(methodName)}:`, write, '},')
}
