import type { PropertyPlan } from '../plan/property-plan.js'
import type { NamedType } from '../plan/structured-types.js'
import { typesIn, type ValueType } from '../plan/value-type.js'
import { literalText, nameText, stringText } from './text.js'
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

/** The members of the union that a type is; one, where it is none. */
function membersOf(type: ValueType): readonly string[] {
  switch (type.kind) {
    case 'word':
      return [type.word]
    case 'named':
      return [type.name]
    case 'literals':
      return type.literals.map(literalText)
    case 'union':
      return type.members.flatMap(membersOf)
    case 'list':
      return [listText(membersOf(type.items))]
    case 'map':
      return [`{ readonly [name: string]: ${membersOf(type.values).join(' | ')} }`]
  }
}

function listText(items: readonly string[]): string {
  const [only = ''] = items
  const isOne = items.length === 1 && !only.startsWith('readonly ')
  return isOne ? `readonly ${only}[]` : `readonly (${items.join(' | ')})[]`
}

/** Writes what is inside a structured value: an interface, or what its name stands for. */
export function printNamed(writer: Writer, named: NamedType): void {
  const { name, comment } = named
  printComment(writer, comment)
  if (named.properties === undefined) printUnion(writer, `export type ${name} =`, membersOf(named.type))
  else if (named.properties.length === 0) writer.writeLine(`export type ${name} = ${EMPTY}`)
  else
    printBlock(writer, `export interface ${name}`, () => {
      named.properties.forEach((property) => printProperty(writer, property))
      if (named.isOpen) writer.writeLine('readonly [name: string]: unknown')
    })
  writer.blankLineIfLastNot()
}

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
  else
    printInterface(writer, name, [without(base, properties)], () =>
      properties.forEach((property) => printProperty(writer, property)),
    )
  writer.blankLineIfLastNot()
}

/**
 * Removes structured values from a base type: they are narrower than an object, and an interface cannot narrow them.
 */
function without(base: string, properties: readonly PropertyPlan[]): string {
  const inside = properties.filter(({ type }) => type.kind !== 'word' && type.kind !== 'literals')
  return inside.length === 0 ? base : `Omit<${base}, ${inside.map(({ name }) => stringText(name)).join(' | ')}>`
}

/** The words of a property's type that a module imports. */
export const importedWords = (properties: readonly { readonly type: ValueType }[]): readonly string[] => [
  ...new Set(
    properties.flatMap(({ type }) =>
      typesIn(type).flatMap((each) => (each.kind === 'word' ? (IMPORTED.get(each.word) ?? []) : [])),
    ),
  ),
]

/** The types with a name that others speak of. */
export const importedNames = (types: readonly { readonly type: ValueType }[]): readonly string[] => [
  ...new Set(types.flatMap(({ type }) => typesIn(type).flatMap((each) => (each.kind === 'named' ? [each.name] : [])))),
]

/** Returns the member types of named types, or the types that they alias. */
export const typesOfNamed = (named: readonly NamedType[]): readonly { readonly type: ValueType }[] =>
  named.flatMap((each): readonly { readonly type: ValueType }[] => each.properties ?? [each])

const IMPORTED: ReadonlyMap<string, readonly string[]> = new Map([
  ['JsonObject', ['JsonObject']],
  ['Json', ['Json']],
  ['readonly Json[]', ['Json']],
])
