import { capabilityComment } from '../plan/comments.js'
import type { CapabilityPlan } from '../plan/plan.js'
import { importedWords, printAlias, printProperties } from '../print/declarations.js'
import { printImport, printModule, type Writer } from '../print/typescript.js'
import type { Target } from './target.js'

/** `generated/types.ts`: what callers send, what handlers get, what they return. */
export const types: Target = ({ capabilities, header }) => [
  {
    path: 'generated/types.ts',
    ownership: 'generated',
    text: printModule(header, (writer) => {
      const words = importedWords(
        capabilities.flatMap(({ parameters, input, output }) => [...parameters, ...(input ?? []), ...output]),
      )
      if (words.length > 0) printImport(writer, 'import type', [...words].sort(), 'svc-kit/client')
      writer.blankLine()
      if (capabilities.length === 0) writer.writeLine('export {}')
      capabilities.forEach((capability) => printTypes(writer, capability))
    }),
  },
]

function printTypes(
  writer: Writer,
  { name, typeName, declaration, parameters, input, output, hasHandler }: CapabilityPlan,
): void {
  printProperties(
    writer,
    `${typeName}Parameters`,
    [`${name}: what a caller sends.`, ...capabilityComment(declaration)],
    parameters,
  )
  if (hasHandler) printInput(writer, name, typeName, input)
  printProperties(writer, `${typeName}Output`, [`${name}: what the caller gets back.`], output)
}

function printInput(writer: Writer, name: string, typeName: string, input: CapabilityPlan['input']): void {
  const comment = [`${name}: what its handler gets, resolved, defaulted and checked.`]
  if (input === undefined) printAlias(writer, `${typeName}Input`, comment, [`${typeName}Parameters`])
  else printProperties(writer, `${typeName}Input`, comment, input)
}
