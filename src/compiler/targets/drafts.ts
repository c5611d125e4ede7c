import type { EmittedFile } from '../emitted.js'
import { portableName } from '../names.js'
import type { CapabilityPlan } from '../plan/plan.js'
import { nameText, stringText } from '../print/text.js'
import { fitsOneLine, printBlock, printComment, printList, printModule, type Writer } from '../print/typescript.js'
import type { Target } from './target.js'

/** First drafts of what the author owns: a file for each handler, and the list of handlers. Written once, if absent. */
export const draftsFor =
  (generated: string): Target =>
  ({ capabilities, remember }) => {
    const handled = capabilities.filter(({ hasHandler }) => hasHandler)
    const draft = (each: CapabilityPlan) =>
      remember(`draft ${each.name}`, [each, generated], () => draftOf(each, generated))
    return [
      ...handled.map(draft),
      { path: HANDLER_LIST, ownership: 'owned', text: handled.map((each) => `${exportLineOf(each)}\n`).join('') },
    ]
  }

/** For the folder that a build writes to when nothing else is said. */
export const drafts: Target = draftsFor('generated')

export const HANDLER_LIST = 'src/handlers/index.ts'

export const handlerPathOf = ({ name }: Pick<CapabilityPlan, 'name'>): string => `src/handlers/${fileNameOf(name)}.ts`

/** The line of the list that hands a handler over. */
export const exportLineOf = ({ name, identifier }: Pick<CapabilityPlan, 'name' | 'identifier'>): string =>
  `export { ${identifier} } from './${fileNameOf(name)}.js'`

/** A file that would be the list, a declaration or a test gets a `$`, which no other name can have. */
function fileNameOf(name: string): string {
  const portable = portableName(name)
  return /^index$|\.(?:d|spec|test)$/u.test(portable) ? `${portable}$` : portable
}

const draftOf = (capability: CapabilityPlan, generated: string): EmittedFile => ({
  path: handlerPathOf(capability),
  ownership: 'owned',
  text: printModule([], (writer) => {
    const { typeName, declaration } = capability
    writer.writeLine(`import type { ${typeName}Handler } from ${stringText(`../../${generated}/handlers.js`)}`)
    writer.writeLine(`import type { ${typeName}Output } from ${stringText(`../../${generated}/types.js`)}`)
    writer.blankLineIfLastNot()
    printComment(writer, [declaration.description])
    printHandler(writer, capability)
  }),
})

/** A service runs what was built, so its log may say of a handler that is written by now that it is not. */
const HINT = 'If it is, rebuild: npm run build'

/** The result is annotated: only so does a compiler refuse a field that the output does not have. */
function printHandler(writer: Writer, { name, identifier, typeName }: CapabilityPlan): void {
  const start = `export const ${nameText(identifier)}: ${typeName}Handler =`
  const called = `async (): Promise<${typeName}Output> =>`
  const block = (open: string): void =>
    printBlock(writer, open, () =>
      printList(writer, 'throw new Error(', [stringText(`${name} is not implemented. ${HINT}`)], ')'),
    )
  if (fitsOneLine(writer, `${start} ${called} {`)) return block(`${start} ${called}`)
  writer.writeLine(start)
  writer.indent(() => block(called))
}
