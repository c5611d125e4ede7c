/** How types and texts of a manifest are written in Python. */
import { expect, it } from 'vitest'
import { pythonString, pythonType } from '../../../src/compiler/print/python.js'
import type { ValueType } from '../../../src/compiler/plan/value-type.js'

const word = (name: string): ValueType => ({ kind: 'word', word: name }) as ValueType
const literals = (...values: readonly (string | number | boolean)[]): ValueType => ({ kind: 'literals', literals: values }) as ValueType // prettier-ignore

it.each([
  [word('string'), 'str'],
  [word('number'), 'float'],
  [word('boolean'), 'bool'],
  [word('JsonObject'), 'Dict[str, Any]'],
  [word('readonly Json[]'), 'List[Any]'],
  [word('null'), 'None'],
  [word('Json'), 'Any'],
  [{ kind: 'named', name: 'Line' } as ValueType, 'Line'],
  [{ kind: 'list', items: word('string') } as ValueType, 'List[str]'],
  [{ kind: 'map', values: { kind: 'list', items: word('number') } } as ValueType, 'Dict[str, List[float]]'],
  [{ kind: 'union', members: [word('string'), word('null')] } as ValueType, 'Union[str, None]'],
  [literals('a', 'b"c'), 'Literal["a", "b\\"c"]'],
  [literals(true, false), 'Literal[True, False]'],
  [literals(1, -2), 'Literal[1, -2]'],
  [literals(1, 1.5), 'float'],
])('%j is %s', (type, written) => {
  expect(pythonType(type)).toBe(written)
})

it.each([
  ['plain', '"plain"'],
  ['a"b\\c\n', '"a\\"b\\\\c\\n"'],
  ['\u0000', '"\\u0000"'],
])('the text %j is %s', (text, written) => {
  expect(pythonString(text)).toBe(written)
})
