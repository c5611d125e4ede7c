/** How types and texts of a manifest are written in Python. */
import { expect, it } from 'vitest'
import type { PropertyPlan } from '../../../src/compiler/plan/property-plan.js'
import type { NamedType } from '../../../src/compiler/plan/structured-types.js'
import type { ValueType } from '../../../src/compiler/plan/value-type.js'
import { printNamedType, printTypedDict, pythonString, pythonType } from '../../../src/compiler/print/python.js'
import { newWriter, type Writer } from '../../../src/compiler/print/writer.js'

const written = (print: (writer: Writer) => void): string => {
  const { writer, text } = newWriter()
  print(writer)
  return text()
}
const word = (of: string): ValueType => ({ kind: 'word', word: of }) as ValueType
const named: ValueType = { kind: 'named', name: 'Money' }

it.each<[ValueType, string]>([
  [word('string'), 'str'],
  [word('number'), 'float'],
  [word('boolean'), 'bool'],
  [word('JsonObject'), 'Dict[str, Any]'],
  [word('readonly Json[]'), 'List[Any]'],
  [word('null'), 'None'],
  [word('Json'), 'Any'],
  [named, 'Money'],
  [{ kind: 'list', items: named }, 'List[Money]'],
  [{ kind: 'map', values: word('number') }, 'Dict[str, float]'],
  [{ kind: 'map', values: { kind: 'list', items: word('number') } }, 'Dict[str, List[float]]'],
  [{ kind: 'union', members: [named, word('null')] }, 'Union[Money, None]'],
  [{ kind: 'literals', literals: ['a"b', 2, true, false] }, 'Literal["a\\"b", 2, True, False]'],
  [{ kind: 'literals', literals: [1, -2] }, 'Literal[1, -2]'],
  [{ kind: 'literals', literals: [1, 0.5] }, 'float'],
  [{ kind: 'literals', literals: [2 ** 53] }, 'float'],
])('%j is %s', (type, text) => {
  expect(pythonType(type)).toBe(text)
})

it.each([
  ['plain', '"plain"'],
  ['a"b\\c\n', '"a\\"b\\\\c\\n"'],
  ['\u0000', '"\\u0000"'],
])('the text %j is %s', (text, read) => {
  expect(pythonString(text)).toBe(read)
})

const property = (name: string, more: Partial<PropertyPlan> = {}): PropertyPlan =>
  ({ name, type: word('string'), optional: false, nullable: false, comment: [], ...more }) as PropertyPlan

it('writes a dictionary as a class, with what is said of its keys', () => {
  const properties = [
    property('city'),
    property('day', { optional: true, comment: ['The day,', 'as a date.'] }),
    property('note', { nullable: true }),
    property('tag', { optional: true, nullable: true }),
  ]
  expect(written((writer) => printTypedDict(writer, 'Trip', 'A "trip".', properties))).toBe(`class Trip(TypedDict):
  "A \\"trip\\"."

  city: str

  day: NotRequired[str]
  "The day, as a date."

  note: Optional[str]

  tag: NotRequired[Optional[str]]

`)
})

it('writes None without quotes where that is the whole type', () => {
  const nothing = property('from', { type: word('null') })
  expect(written((writer) => printTypedDict(writer, 'Trip', 'A trip.', [nothing]))).toContain('  "from": None,\n')
  const type: NamedType = { name: 'Nothing', type: word('null'), comment: [] }
  expect(written((writer) => printNamedType(writer, type))).toBe('Nothing: TypeAlias = None\n\n')
})

it('writes a dictionary by a call where one of its keys is no name', () => {
  const properties = [property('from'), property('day', { optional: true })]
  expect(written((writer) => printTypedDict(writer, 'Trip', 'A trip.', properties))).toBe(`Trip = TypedDict("Trip", {
  "from": "str",
  "day": "NotRequired[str]",
})

`)
})

it.each<[string, Partial<NamedType>, string]>([
  ['what stands for another type', { type: { kind: 'list', items: named } }, 'Trip: TypeAlias = "List[Money]"\n\n'],
  ['an object that is described', { properties: [property('a')], comment: ['A', 'trip.'] }, 'class Trip(TypedDict):\n  "A trip."\n\n  a: str\n\n'],
  ['an object that nobody described', { properties: [] }, 'class Trip(TypedDict):\n  "What is inside Trip."\n\n'],
])('writes %s', (_, more, text) => {
  expect(written((writer) => printNamedType(writer, { name: 'Trip', comment: [], ...more } as NamedType))).toBe(text)
}) // prettier-ignore
