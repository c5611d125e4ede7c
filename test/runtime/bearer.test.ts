/** What counts as a credential, and which of them are delegation tokens: one after another, whatever came before. */
import { expect, it } from 'vitest'
import { headerFor } from '../../src/crypto/jws/jws-header.js'
import { DELEGATION_TYPE } from '../../src/protocol/token.js'
import { bearerOf, claimsToBeDelegation } from '../../src/runtime/credentials/bearer.js'
import { Refusal } from '../../src/runtime/errors/refusal.js'

const LONGEST = 'x'.repeat(12_288)

it.each([
  ['Bearer abc', 'abc'],
  ['bearer abc', 'abc'],
  ['Bearer  abc', 'abc'],
  [`Bearer    ${LONGEST}`, LONGEST],
  ['BEARER a.b~c+d/e-f_g==', 'a.b~c+d/e-f_g=='],
  [`Bearer ${LONGEST}`, LONGEST],
])('%j is the credential %s', (header, credential) => {
  expect(bearerOf(header)).toBe(credential)
})

it.each([
  null, '', 'Bearer', 'Bearer ', 'Bearer  ', 'Bearer\tabc', 'Bearer abc ', 'Bearer a b', 'Bearer a,b', 'Bearer ä', 'Basic abc', 'abc', 'Bearer abc\n', `Bearer ${LONGEST}x`,
])('%j is none', (header) => {
  expect(() => bearerOf(header)).toThrow(Refusal)
}) // prettier-ignore

const OURS = headerFor('k1', DELEGATION_TYPE)
const ROTATED = headerFor('k2', DELEGATION_TYPE)
const THEIRS = headerFor('k1', 'at+jwt')

it.each<[string, boolean]>([
  [`${THEIRS}.e30.x`, false],
  [`${OURS}.e30.x`, true],
  [`${ROTATED}.e30.x`, true],
  [`${THEIRS}.e30.x`, false],
  [`${OURS}.e30.x`, true],
  [OURS, false],
  [`${OURS}.e30`, false],
  [`${OURS}.e30.x.y`, false],
  [`e30.${OURS}.x`, false],
  ['sk_live_key', false],
  [`${ROTATED}..`, true],
])('%s is meant as a delegation token: %s', (bearer, isMeant) => {
  expect(claimsToBeDelegation(bearer)).toBe(isMeant)
})
