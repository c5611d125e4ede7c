/** A server of an older library that people have, behind a service over stdio. It is installed with the judges. */
import { expect, it } from 'vitest'
import { ECHOED, reached } from '../runtime/upstream/peers.js'
import { fileOfJudge } from './judge.js'

it('a server of version 1.17 of the library lists its tools, and runs one', async () => {
  expect(await reached(fileOfJudge('sdk-1.17'))).toEqual({ ...ECHOED, resultType: undefined })
})
