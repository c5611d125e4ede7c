import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readJwks } from '../../src/crypto/keys/jwk.js'
import { verifyDelegation } from '../../src/crypto/jws/jwt.js'
import { keysOfRole, readPublishedKeys } from '../../src/crypto/keys/published-keys.js'
import { svc } from '../trust/command.js'
import { signDeterministically } from './golden/deterministic-signer.js'
import type { GoldenCase } from './golden/golden-case.js'
import { goldenVectors, type GoldenVectors } from './golden/golden-vectors.js'

// Ours, and made by this test: another folder of vectors does not have them.
const { cases, jwks, origin, now, service_id } = JSON.parse(
  readFileSync('test/vectors/svc-golden/vectors.json', 'utf8'),
) as GoldenVectors
let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-golden-'))
  vi.useFakeTimers({ now: Date.parse(now), toFake: ['Date'] })
})
afterAll(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true })
})

const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}
const option = (name: string, text: string | undefined): readonly string[] =>
  text === undefined ? [] : [`--${name}`, file(name, text)]

function tokenVerifies(token: string): boolean {
  const roles = readPublishedKeys(JSON.parse(origin.manifest) as never)!
  const keys = keysOfRole(readJwks(jwks as never) as never, roles, 'tokens')
  const expected = { issuer: service_id, audience: service_id, now: Date.parse(now) / 1000, toleranceSeconds: 5 }
  return verifyDelegation(token, { keys, ...expected }).ok
}

async function verified({
  kind,
  artefact,
  signature,
  checkpoint,
  since,
}: GoldenCase): Promise<{ verified: boolean; first_bad?: number }> {
  if (kind === 'token') return { verified: tokenVerifies(artefact) }
  const options = [...option('signature', signature), ...option('checkpoint', checkpoint), ...option('since', since)]
  const trusted = file('jwks.json', JSON.stringify(jwks))
  file('origin.jws', origin.signature)
  const from = [
    '--manifest',
    file('origin.json', origin.manifest),
    ...origin.kids.flatMap((kid) => ['--manifest-kid', kid]),
  ]
  const { code, out } = await svc(
    'verify',
    kind,
    file('artefact', artefact),
    '--jwks',
    trusted,
    ...from,
    '--format',
    'json',
    ...options,
  )
  const { facts } = JSON.parse(out) as { facts: { first_bad?: number } }
  return { verified: code === 0, ...(facts.first_bad !== undefined && { first_bad: facts.first_bad }) }
}

describe('golden vectors', () => {
  it('are made of fixed keys and times, the same bytes each time', async () => {
    await expect(`${JSON.stringify(await goldenVectors(), undefined, 1)}\n`).toMatchFileSnapshot(
      '../vectors/svc-golden/vectors.json',
    )
  })

  it('are at least 60, of every kind, good and bad', () => {
    expect(cases.length).toBeGreaterThanOrEqual(60)
    const kinds = new Set(cases.map(({ kind, expect: wanted }) => `${kind} ${wanted}`))
    expect(kinds.size).toBe(12)
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length)
  })

  it.each(cases)('$id is $expect: $why', async (golden) => {
    const verdict = await verified(golden)
    expect(verdict.verified).toBe(golden.expect === 'valid')
    expect(verdict.first_bad).toBe(golden.first_bad)
  })

  it('are signed with the nonces of RFC 6979 (A.2.5)', () => {
    const secret = 0xc9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721n
    expect(Buffer.from(signDeterministically(Buffer.from('sample'), secret)).toString('hex')).toBe(
      'efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8',
    )
  })
})
