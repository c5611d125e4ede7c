import type { CapabilityPlan } from '../plan/plan.js'
import { importedWords, printNarrowed, printProperties } from '../print/declarations.js'
import { printImport, type Writer } from '../print/typescript.js'
import { modularFiles } from './modules.js'
import type { Target } from './target.js'

/** `generated/types.ts`: what callers send, what handlers get, what they return. */
export const types: Target = (plan) =>
  modularFiles(plan, {
    name: 'types',
    module: (writer, { capabilities }) => printModuleTypes(writer, capabilities),
    whole: (writer, _, modules) =>
      modules.forEach(({ name }) => writer.writeLine(`export type * from './types/${name}.js'`)),
  })

function printModuleTypes(writer: Writer, capabilities: readonly CapabilityPlan[]): void {
  const words = importedWords(
    capabilities.flatMap(({ parameters, input, output }) => [...parameters, ...input, ...output]),
  )
  if (words.length > 0) printImport(writer, 'import type', [...words].sort(), 'svc-kit/client')
  writer.blankLineIfLastNot()
  if (capabilities.length === 0) writer.writeLine('export {}')
  capabilities.forEach((capability) => printTypes(writer, capability))
}

function printTypes(writer: Writer, { name, typeName, parameters, input, output, hasHandler }: CapabilityPlan): void {
  printProperties(writer, `${typeName}Parameters`, [`What a caller of ${name} sends.`], parameters)
  if (hasHandler) {
    const comment = [`What the handler of ${name} gets: resolved, defaulted and checked.`]
    printNarrowed(writer, `${typeName}Input`, comment, `${typeName}Parameters`, input)
  }
  printProperties(writer, `${typeName}Output`, [`What ${name} gives back.`], output)
}
