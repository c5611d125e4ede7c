/** A hash as it stands on the wire has one text (section 2.15). */
import { expect, it } from 'vitest'
import { formatHash, isHash, isPath, parseHash } from '../../src/crypto/json/digest.js'

const HASH = `sha256:${'0a'.repeat(32)}`

it('a hash is read from its text, and is the same text again', () => {
  expect(formatHash(parseHash(HASH)!)).toBe(HASH)
  expect([isHash(HASH), isPath([]), isPath([HASH, HASH])]).toEqual([true, true, true])
})

it.each([
  '', '0a'.repeat(32), `SHA256:${'0a'.repeat(32)}`, `sha256:${'0A'.repeat(32)}`, `sha256:${'0g'.repeat(32)}`, `sha256:${'0a'.repeat(31)}`,
  `sha256:${'0a'.repeat(33)}`, ` ${HASH}`, `${HASH}\n`, `${HASH}\n${HASH}`,
])('no hash is read from %j', (text) => {
  expect([parseHash(text), isHash(text), isPath([HASH, text])]).toEqual([undefined, false, false])
}) // prettier-ignore

it.each([[null], [1], [[HASH]], [{ hash: HASH }]])('%j is no hash', (value) => {
  expect([isHash(value), isPath([HASH, value]), isPath({ 0: HASH, length: 1 })]).toEqual([false, false, false])
})
