import type { CapabilityPlan, ModulePlan, Plan } from '../plan/plan.js'
import { importedNames, importedWords, printNamed, printProperties, typesOfNamed } from '../print/declarations.js'
import type { ValueType } from '../plan/value-type.js'
import { printImport, type Writer } from '../print/typescript.js'
import { methodImports, outcomeImports, printCallInterfaces, printOutcome } from './call-types.js'
import { modularFiles } from './modules.js'
import type { Target } from './target.js'

/**
 * `generated/types.ts`: what callers send, what comes back, how a call may fail; in a divided service, the calls
 * themselves.
 */
export const types: Target = (plan) =>
  modularFiles(plan, {
    name: 'types',
    module: (writer, module, up) => printModuleTypes(writer, plan, module, up),
    whole: (writer, _, modules) => {
      if (modules.length > 0 && plan.sharedTypes.length > 0) writer.writeLine("export type * from './values.js'")
      modules.forEach(({ name }) => writer.writeLine(`export type * from './types/${name}.js'`))
    },
  })

function printModuleTypes(writer: Writer, plan: Plan, module: ModulePlan, up: string): void {
  const { capabilities } = module
  const isDivided = plan.modules.length > 1
  const types = [
    ...capabilities.flatMap(({ parameters, output }) => [...parameters, ...output]),
    ...typesOfNamed(capabilities.flatMap((capability) => capability.types)),
  ]
  const words = [
    ...importedWords(types),
    ...outcomeImports(capabilities),
    ...(isDivided ? methodImports(capabilities) : []),
  ]
  if (words.length > 0) printImport(writer, 'import type', [...new Set(words)].sort(), 'svc-kit/client')
  const shared = sharedNames(plan, types)
  if (shared.length > 0) printImport(writer, 'import type', shared, `${up}values.js`)
  writer.blankLineIfLastNot()
  if (!isDivided && plan.sharedTypes.length > 0) {
    writer.writeLine("export type * from './values.js'")
    writer.blankLineIfLastNot()
  }
  if (capabilities.length === 0) writer.writeLine('export {}')
  capabilities.forEach((capability) => printTypes(writer, capability))
  if (isDivided) printCallInterfaces(writer, module)
}

/** The shared types that some types speak of. */
export function sharedNames({ sharedTypes }: Plan, types: readonly { readonly type: ValueType }[]): readonly string[] {
  const shared = new Set(sharedTypes.map(({ name }) => name))
  return importedNames(types)
    .filter((name) => shared.has(name))
    .sort()
}

function printTypes(writer: Writer, capability: CapabilityPlan): void {
  const { name, typeName, parameters, output } = capability
  capability.types.forEach((type) => printNamed(writer, type))
  printProperties(writer, `${typeName}Parameters`, [`What a caller of ${name} sends.`], parameters)
  printProperties(writer, `${typeName}Output`, [`What ${name} gives back.`], output)
  printOutcome(writer, capability)
}
