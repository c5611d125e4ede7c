import { importedWords, printNamed, typesOfNamed } from '../print/declarations.js'
import { printImport, printModule } from '../print/typescript.js'
import type { Target } from './target.js'

/** `generated/values.ts`: the types of `x-schemas`. Nothing where there are none. */
export const values: Target = ({ sharedTypes, headerFor }) => {
  if (sharedTypes.length === 0) return []
  const text = printModule(headerFor(), (writer) => {
    const words = importedWords(typesOfNamed(sharedTypes))
    if (words.length > 0) printImport(writer, 'import type', [...words].sort(), 'svc-kit/client')
    writer.blankLineIfLastNot()
    sharedTypes.forEach((type) => printNamed(writer, type))
  })
  return [{ path: 'generated/values.ts', ownership: 'generated', text }]
}
