import { expect, it } from 'vitest'
import { differences } from '../../src/cli/verify/differences.js'
import type { Json } from '../../src/protocol/manifest.js'

it.each<readonly [Json, Json, readonly string[]]>([
  [{ a: 1 }, { a: 1 }, []],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, []],
  [{ a: 1 }, { a: 1, b: 2 }, ['/b was added.']],
  [{ a: 1, b: 2 }, { a: 1 }, ['/b is missing.']],
  [{ a: 1 }, { a: 2 }, ['/a is 2, expected 1.']],
  [{ a: { b: {} } }, { a: { b: { c: null } } }, ['/a/b/c was added.']],
  [[1], [1, 2], ['/1 was added.']],
  [[1, 2], [1], ['/1 is missing.']],
  [
    [1, 2],
    [2, 1],
    ['/0 is 2, expected 1.', '/1 is 1, expected 2.'],
  ],
  [{ a: [] }, { a: {} }, ['/a is {}, expected [].']],
  [{ a: null }, { a: 0 }, ['/a is 0, expected null.']],
  [{}, { 'a/b~c': 1 }, ['/a~1b~0c was added.']],
  [{}, { toString: 1 }, ['/toString was added.']],
  [1, 2, ['The document is 2, expected 1.']],
])('from %j to %j', (expected, actual, found) => {
  expect(differences(expected, actual)).toEqual(found)
})

it.each([
  [20, undefined],
  [21, '1 more members differ.'],
  [25, '5 more members differ.'],
])('of %i differences lists 20', (count, last) => {
  const found = differences(
    [],
    Array.from({ length: count }, () => 0),
  )
  expect([found.length, found[20]]).toEqual([last === undefined ? 20 : 21, last])
})
