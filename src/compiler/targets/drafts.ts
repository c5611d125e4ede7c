import type { EmittedFile } from '../emitted.js'
import type { CapabilityPlan } from '../plan/plan.js'
import { nameText, stringText } from '../print/text.js'
import { printBlock, printComment, printModule } from '../print/typescript.js'
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
const fileNameOf = (name: string): string => (/^index$|\.(?:d|spec|test)$/u.test(name) ? `${name}$` : name)

const draftOf = (capability: CapabilityPlan, generated: string): EmittedFile => ({
  path: handlerPathOf(capability),
  ownership: 'owned',
  text: printModule([], (writer) => {
    const { name, identifier, typeName, declaration } = capability
    writer.writeLine(`import type { ${typeName}Handler } from ${stringText(`../../${generated}/handlers.js`)}`)
    writer.blankLineIfLastNot()
    printComment(writer, [declaration.description])
    const start = `export const ${nameText(identifier)}: ${typeName}Handler = async () =>`
    printBlock(writer, start, () => writer.writeLine(`throw new Error(${stringText(`${name} is not written yet.`)})`))
  }),
})
