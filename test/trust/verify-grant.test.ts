import { expect, it } from 'vitest'
import { verifyGrantFile } from '../../src/cli/verify/grant.js'
import type { Origin } from '../../src/cli/verify/origin.js'
import { canonicalBytes } from '../../src/crypto/json/canonical.js'
import { signDetached, verifyDetached } from '../../src/crypto/jws/jws.js'
import { generateRingKey } from '../../src/crypto/keys/key-ring.js'

const key = await generateRingKey('tokens', 'active')
const RETIRED = '2027-01-02T00:00:00.000Z'

/** What is found in a grant that was issued and expires at these times, where its key was retired at 2 January. */
async function findingsOf(issuedAt: string, expiresAt: string): Promise<readonly string[]> {
  const grant = { grant_id: 'g1', issued_at: issuedAt, expires_at: expiresAt }
  const signature = await signDetached(key.signer!, canonicalBytes(grant))
  const retired = { ...key, retiredFrom: Date.parse(RETIRED) }
  const origin = { findings: [], keysOf: (role: string) => (role === 'tokens' ? [retired] : []) } as unknown as Origin
  const bytes = new TextEncoder().encode(JSON.stringify({ ...grant, signature }))
  const { findings } = await verifyGrantFile({
    bytes,
    file: 'grant.json',
    jwks: [],
    options: { format: 'text', jwks: 'jwks.json' },
    origin,
    verify: verifyDetached,
  })
  return findings
}

it.each([
  ['2027-01-01T00:00:00.000Z', '2027-01-01T01:00:00.000Z'],
  ['2027-01-01T00:00:00.000Z', '2027-01-03T00:00:00.000Z'],
  [RETIRED, '2027-01-03T00:00:00.000Z'],
])('believes a grant of %s that expires at %s', async (issuedAt, expiresAt) => {
  expect(await findingsOf(issuedAt, expiresAt)).toEqual([])
})

it('refuses a grant that was issued after its key was retired', async () => {
  expect(await findingsOf('2027-01-02T00:00:00.001Z', '2027-01-03T00:00:00.000Z')).toEqual([
    `The key ${key.kid} was retired at ${RETIRED}, but this is dated 2027-01-02T00:00:00.001Z.`,
  ])
})
