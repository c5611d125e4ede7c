/** Servers of the official libraries over stdio, in each revision. */
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { ECHOED, reached } from './peers.js'

const LIBRARY_1 = resolve('node_modules/@modelcontextprotocol/sdk')
const LIBRARY_2 = resolve('node_modules/@modelcontextprotocol/server')

it.each([
  ['2025-03-26', LIBRARY_1, '2025-03-26', undefined],
  ['2025-06-18', LIBRARY_1, '2025-06-18', undefined],
  ['2025-11-25', LIBRARY_1, undefined, undefined],
  ['2025-11-25 and after', LIBRARY_2, undefined, undefined],
  ['2026-07-28 alone', LIBRARY_2, '2026-07-28', 'complete'],
])('a server of %s lists its tools, and runs one', async (_, library, revision, resultType) => {
  expect(await reached(library, revision)).toEqual({ ...ECHOED, resultType })
})
