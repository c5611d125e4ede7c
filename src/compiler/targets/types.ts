import type { CapabilityPlan, ModulePlan, Plan } from '../plan/plan.js'
import { importedWords, printProperties } from '../print/declarations.js'
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
    module: (writer, module) => printModuleTypes(writer, plan, module),
    whole: (writer, _, modules) =>
      modules.forEach(({ name }) => writer.writeLine(`export type * from './types/${name}.js'`)),
  })

function printModuleTypes(writer: Writer, plan: Plan, module: ModulePlan): void {
  const { capabilities } = module
  const isDivided = plan.modules.length > 1
  const words = [
    ...importedWords(capabilities.flatMap(({ parameters, output }) => [...parameters, ...output])),
    ...outcomeImports(capabilities),
    ...(isDivided ? methodImports(capabilities) : []),
  ]
  if (words.length > 0) printImport(writer, 'import type', [...words].sort(), 'svc-kit/client')
  writer.blankLineIfLastNot()
  if (capabilities.length === 0) writer.writeLine('export {}')
  capabilities.forEach((capability) => printTypes(writer, capability))
  if (isDivided) printCallInterfaces(writer, module)
}

function printTypes(writer: Writer, capability: CapabilityPlan): void {
  const { name, typeName, parameters, output } = capability
  printProperties(writer, `${typeName}Parameters`, [`What a caller of ${name} sends.`], parameters)
  printProperties(writer, `${typeName}Output`, [`What ${name} gives back.`], output)
  printOutcome(writer, capability)
}
