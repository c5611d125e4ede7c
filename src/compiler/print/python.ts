import { isPythonName } from '../../protocol/python-names.js'
import type { PropertyPlan } from '../plan/property-plan.js'
import type { NamedType } from '../plan/structured-types.js'
import type { ValueType } from '../plan/value-type.js'
import type { Writer } from './writer.js'

/** A string as Python reads it; what JSON escapes, Python does, too. */
export const pythonString = (text: string): string =>
  JSON.stringify(text).replaceAll(/[\u007F-\u009F\u2028\u2029\p{Cf}]/gu, escaped)

/** Lines that some editors show, and characters that none shows. */
function escaped(character: string): string {
  const code = character.codePointAt(0)!.toString(16)
  return character.length > 1 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`
}

const WORDS: { readonly [word: string]: string } = {
  string: 'str',
  number: 'float',
  boolean: 'bool',
  JsonObject: 'Dict[str, Any]',
  'readonly Json[]': 'List[Any]',
  null: 'None',
}

/** The type of a value; a union of literals where the values are closed. */
export function pythonType(type: ValueType): string {
  switch (type.kind) {
    case 'word':
      return WORDS[type.word] ?? 'Any'
    case 'named':
      return type.name
    case 'list':
      return `List[${pythonType(type.items)}]`
    case 'map':
      return `Dict[str, ${pythonType(type.values)}]`
    case 'union':
      return `Union[${type.members.map(pythonType).join(', ')}]`
    case 'literals':
      return literalsType(type.literals)
  }
}

function literalsType(literals: readonly (string | number | boolean)[]): string {
  if (literals.some((each) => typeof each === 'number' && !Number.isSafeInteger(each))) return 'float'
  return `Literal[${literals.map(literalText).join(', ')}]`
}

function literalText(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return typeof value === 'number' ? String(value) : pythonString(value)
}

const fieldType = ({ type, optional, nullable }: PropertyPlan): string => {
  const plain = nullable ? `Optional[${pythonType(type)}]` : pythonType(type)
  return optional ? `NotRequired[${plain}]` : plain
}

/** In quotes, because it may name what comes later, and itself; `None` alone names neither, and mypy takes no quotes for it. */
const annotation = (type: string): string => (type === 'None' ? type : pythonString(type))

/** Writes a dictionary type; by a call, where a key is no name that a class can have. */
export function printTypedDict(writer: Writer, name: string, about: string, properties: readonly PropertyPlan[]): void {
  if (properties.every((property) => isPythonName(property.name))) {
    writer.writeLine(`class ${name}(TypedDict):`)
    writer.indent(() => {
      writer.writeLine(pythonString(about))
      for (const property of properties) {
        writer.writeLine('')
        writer.writeLine(`${property.name}: ${fieldType(property)}`)
        if (property.comment.length > 0) writer.writeLine(pythonString(property.comment.join(' ')))
      }
    })
  } else {
    writer.writeLine(`${name} = TypedDict(${pythonString(name)}, {`)
    writer.indent(() =>
      properties.forEach((property) =>
        writer.writeLine(`${pythonString(property.name)}: ${annotation(fieldType(property))},`),
      ),
    )
    writer.writeLine('})')
  }
  writer.writeLine('')
  writer.writeLine('')
}

/** Writes what is inside a structured value: a dictionary type, or what its name stands for. */
export function printNamedType(writer: Writer, named: NamedType): void {
  const about = named.comment.length === 0 ? `What is inside ${named.name}.` : named.comment.join(' ')
  if (named.properties !== undefined) return printTypedDict(writer, named.name, about, named.properties)
  writer.writeLine(`${named.name}: TypeAlias = ${annotation(pythonType(named.type))}`)
  writer.writeLine('')
  writer.writeLine('')
}
