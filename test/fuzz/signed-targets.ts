/** What is read from strangers and signed, or should be. */
import { expect } from 'vitest'
import { lineSplitter } from '../../src/cli/verify/lines.js'
import { judgeExport } from '../../src/crypto/trail/audit-export-judge.js'
import { readWitnessKey, witnessKeyText } from '../../src/crypto/trail/cosignature.js'
import { readClaims } from '../../src/crypto/jws/delegation-claims.js'
import { signDetached, verifyDetached } from '../../src/crypto/jws/jws.js'
import { signDelegation, verifyDelegation } from '../../src/crypto/jws/jwt.js'
import { claimedIssuer, verifyOidcToken } from '../../src/crypto/jws/oidc-token.js'
import { publishManifest, verifyManifest } from '../../src/crypto/jws/published-manifest.js'
import { readNote, readNoteCheckpoint, signNote } from '../../src/crypto/trail/signed-note.js'
import { readStoredKeys, storedKeyOf, writeStoredKey } from '../../src/crypto/keys/stored-key.js'
import { parseStrictJson } from '../../src/crypto/json/strict-json.js'
import type { Manifest } from '../../src/protocol/manifest.js'
import type { DelegationClaims } from '../../src/protocol/token.js'
import { isRecord } from '../../src/crypto/json/kinds.js'
import { exportLines } from '../../src/runtime/checkpoints/export.js'
import { makeCheckpoint } from '../../src/runtime/checkpoints/make.js'
import { goldenKey } from '../vectors-suite/golden/deterministic-signer.js'
import { startTrail } from '../trust/trail.js'
import type { Target } from './fuzzing.js'

const TOKENS = goldenKey('fuzz tokens', 'tokens')
const AUDIT = goldenKey('fuzz audit', 'audit')
const MANIFEST = goldenKey('fuzz manifest', 'manifest')
const TIMES = { published_at: '2030-01-01T00:00:00.000Z', expires_at: '2031-01-01T00:00:00.000Z' }

const CLAIMS: DelegationClaims = {
  jti: 'tok_1', iss: 'flights', aud: 'flights', sub: 'agent:bot', iat: 1000, nbf: 1000, exp: 2000, scope: ['a', 'b'], root_principal: 'human:ana',
  purpose: { parameters: { task_id: 't', deep: [1, { a: null }] }, task_id: 't' }, capability: 'book', parent_token_id: 'tok_0',
  constraints: { budget: { currency: 'EUR', max_amount: 0.1, mode: 'cumulative' }, max_delegation_depth: 3, concurrent_branches: 'exclusive' },
  caller_class: 'internal', session_id: 's',
} // prettier-ignore

/** Holds unless something is accepted that nobody signed. */
const onlyGenuine = (isAccepted: boolean, input: Buffer, genuine: string) =>
  expect(isAccepted && input.toString() !== genuine).toBe(false)

async function jwt(): Promise<Target> {
  const genuine = await signDelegation(TOKENS.signer!, CLAIMS)
  const header = (change: object) => Buffer.from(JSON.stringify({ alg: 'ES256', ...change })).toString('base64url')
  return {
    seeds: [genuine, `${header({ typ: 'delegation+jwt', kid: TOKENS.kid })}.e30.AA`],
    words: [header({ alg: 'none' }), header({ jwk: TOKENS.publicJwk }), header({ kid: TOKENS.kid }), '..'],
    parse: (input) => {
      const expected = { keys: [TOKENS], issuer: 'flights', audience: 'flights', now: 1500, toleranceSeconds: 5 }
      const verdict = verifyDelegation(input.toString(), expected)
      onlyGenuine(verdict.ok, input, genuine)
      return verdict.ok ? 'ok' : verdict.reason
    },
  }
}

const claims = (): Target => ({
  seeds: [JSON.stringify(CLAIMS)],
  words: Object.keys(CLAIMS).map((name) => `"${name}":`),
  parse: (input) => {
    const json = parseStrictJson(input)
    if (!json.ok || !isRecord(json.value)) return 'no object'
    const read = readClaims(json.value, 'flights')
    if (read === undefined) return 'refused'
    expect(read.scope.every((each) => typeof each === 'string') && Number.isSafeInteger(read.exp)).toBe(true)
    return Object.keys(read).join()
  },
})

const oidc = (): Target => ({
  seeds: ['eyJhbGciOiJSUzI1NiIsImtpZCI6ImEifQ.eyJpc3MiOiJodHRwczovL2EuZXhhbXBsZSIsImF1ZCI6ImEiLCJleHAiOjE1MDB9.AAAA'],
  parse: async (input) => {
    const bearer = input.toString()
    const keys = [{ ...TOKENS.publicJwk }]
    const expected = { keys, issuer: 'https://a.example', audience: 'a', now: 1000, toleranceSeconds: 5 }
    const verdict = await verifyOidcToken(bearer, expected)
    expect(verdict.ok).toBe(false)
    return `${JSON.stringify(verdict)} ${typeof claimedIssuer(bearer)}`
  },
})

async function detached(): Promise<Target> {
  const payload = Buffer.from('{"a":1}')
  const genuine = await signDetached(MANIFEST.signer!, payload)
  return {
    seeds: [genuine],
    parse: (input) => {
      const signed = verifyDetached(input.toString(), payload, [MANIFEST])
      onlyGenuine(signed !== undefined, input, genuine)
      return String(signed?.kid)
    },
  }
}

async function manifest(given: Manifest): Promise<Target> {
  const { bytes } = publishManifest(given, TIMES as never)
  const jws = await signDetached(MANIFEST.signer!, bytes)
  return {
    seeds: [bytes],
    words: ['manifest_metadata', 'sha256', 'expires_at'],
    parse: (input) => {
      const { findings } = verifyManifest(input, jws, [MANIFEST], Date.parse(TIMES.published_at))
      expect(findings.length === 0 && !input.equals(bytes)).toBe(false)
      return findings.map(({ part }) => part).join()
    },
  }
}

async function auditExport(): Promise<Target> {
  const { storage, dependencies, append } = await startTrail()
  await append(1, 5)
  await makeCheckpoint({ ...dependencies, signer: () => AUDIT.signer!, keys: () => [AUDIT] })
  const about = { serviceId: 'flights', exportedAt: TIMES.published_at, from: 1 }
  const lines: string[] = []
  for await (const line of exportLines({ storage, signer: AUDIT.signer!, keys: [AUDIT.publicJwk], ...about }))
    lines.push(line)
  const genuine = lines.join('')
  return {
    seeds: [genuine],
    words: lines,
    parse: (input) => {
      const judge = judgeExport([AUDIT])
      const splitter = lineSplitter((line) => judge.line(line))
      splitter.push(input)
      const { findings } = judge.verdict(splitter.end())
      onlyGenuine(findings.length === 0, input, genuine)
      return (findings[0]?.message ?? 'sound').replaceAll(/[\d"][\w:"-]*/gu, '')
    },
  }
}

async function note(): Promise<Target> {
  const head = { entry_count: 5, merkle_root: `sha256:${'0a'.repeat(32)}` }
  return {
    seeds: [await signNote(AUDIT.signer!, AUDIT.publicJwk, 'flights/svc/checkpoints', head as never)],
    words: ['\n\n', '\u2014 '],
    parse: (input) => {
      const read = readNote(input.toString())
      const checkpoint = read && readNoteCheckpoint(read.text)
      if (checkpoint) expect(Number.isSafeInteger(checkpoint.size) && checkpoint.root.length).toBe(32)
      return `${read?.signatures.length} ${checkpoint === undefined}`
    },
  }
}

const witnessKey = (): Target => ({
  seeds: [witnessKeyText({ name: 'witness.example', publicKey: Buffer.alloc(32, 7) })],
  parse: (input) => String(readWitnessKey(input.toString())?.publicKey.length),
})

const storedKey = (): Target => ({
  seeds: [writeStoredKey(storedKeyOf(TOKENS.privateJwk, 'tokens', 0))],
  words: ['"d":', '"crv":', '"P-384"', '"retired'],
  parse: (input) => {
    const keys = readStoredKeys(input)
    if (typeof keys === 'string') {
      expect(keys).not.toContain(TOKENS.privateJwk.d)
      return keys.replaceAll(/[\d"][\w:"-]*/gu, '')
    }
    return [...keys.keys, ...keys.secrets].map(({ role }) => role).join()
  },
})

/** By parser. */
export const signedTargets = (published: Manifest) =>
  ({
    jwt,
    claims,
    oidc,
    detached,
    manifest: () => manifest(published),
    auditExport,
    note,
    witnessKey,
    storedKey,
  }) as const
