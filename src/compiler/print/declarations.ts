import type { PropertyPlan } from '../plan/plan.js'
import type { ValueType } from '../plan/value-types.js'
import { literalText, nameText } from './text.js'
import { printBlock, printComment, printUnion, type Writer } from './typescript.js'

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
  writer.blankLine()
}

function printProperty(writer: Writer, { name, type, optional, nullable, comment }: PropertyPlan): void {
  printComment(writer, comment)
  const members = [...membersOf(type), ...(nullable ? ['null'] : [])]
  printUnion(writer, `readonly ${nameText(name)}${optional ? '?' : ''}:`, members)
}

const membersOf = (type: ValueType): readonly string[] =>
  type.kind === 'word' ? [type.word] : type.literals.map(literalText)

/** Writes `export type name = a | b`. */
export function printAlias(writer: Writer, name: string, comment: readonly string[], members: readonly string[]): void {
  printComment(writer, comment)
  printUnion(writer, `export type ${name} =`, members)
  writer.blankLine()
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
