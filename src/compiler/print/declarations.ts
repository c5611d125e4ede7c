import type { PropertyPlan } from '../plan/plan.js'
import type { ValueType } from '../plan/value-types.js'
import { literalText, nameText } from './text.js'
import { printBlock, printComment, printInterface, printUnion, type Writer } from './typescript.js'

/** An object without any member. */
const EMPTY = '{ readonly [name: string]: never }'

/** Writes an interface of readonly properties, or an alias where it would be empty. */
export function printProperties(
  writer: Writer,
  name: string,
  comment: readonly string[],
  properties: readonly PropertyPlan[],
): void {
  printComment(writer, comment)
  if (properties.length === 0) writer.writeLine(`export type ${name} = ${EMPTY}`)
  else
    printBlock(writer, `export interface ${name}`, () =>
      properties.forEach((property) => printProperty(writer, property)),
    )
  writer.blankLineIfLastNot()
}

function printProperty(writer: Writer, { name, type, optional, nullable, comment }: PropertyPlan): void {
  printComment(writer, comment)
  const members = [...membersOf(type), ...(nullable ? ['null'] : [])]
  printUnion(writer, `readonly ${nameText(name)}${optional ? '?' : ''}:`, members)
}

const membersOf = (type: ValueType): readonly string[] =>
  type.kind === 'word' ? [type.word] : type.literals.map(literalText)

/** Writes an interface that narrows another; an alias where nothing is narrowed. */
export function printNarrowed(
  writer: Writer,
  name: string,
  comment: readonly string[],
  base: string,
  properties: readonly PropertyPlan[],
): void {
  printComment(writer, comment)
  if (properties.length === 0) writer.writeLine(`export type ${name} = ${base}`)
  else printInterface(writer, name, [base], () => properties.forEach((property) => printProperty(writer, property)))
  writer.blankLineIfLastNot()
}

/** The words of a property's type that a module imports. */
export const importedWords = (properties: readonly PropertyPlan[]): readonly string[] => [
  ...new Set(properties.flatMap(({ type }) => (type.kind === 'word' ? (IMPORTED.get(type.word) ?? []) : []))),
]

const IMPORTED: ReadonlyMap<string, readonly string[]> = new Map([
  ['JsonObject', ['JsonObject']],
  ['Json', ['Json']],
  ['readonly Json[]', ['Json']],
])
