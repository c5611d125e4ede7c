import { beforeAll, describe, expect, it } from 'vitest'
import { judgeExport } from '../../src/crypto/trail/audit-export-judge.js'
import { signDetached } from '../../src/crypto/jws/jws.js'
import { generateRingKey } from '../../src/crypto/keys/key-ring.js'
import { publishManifest, verifyManifest } from '../../src/crypto/jws/published-manifest.js'
import { exportLines } from '../../src/runtime/checkpoints/export.js'
import { makeCheckpoint } from '../../src/runtime/checkpoints/make.js'
import { lineSplitter } from '../../src/cli/verify/lines.js'
import { check } from '../../src/compiler/index.js'
import { readFileSync } from 'node:fs'
import { AUDIT_KEY, START, startTrail } from './trail.js'

/** A fixed sequence of numbers below 2^32 (xorshift), so that a failure can be seen again. */
function sequenceFrom(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
}

/** The bytes with one of them set to another value. */
function edited(
  bytes: Uint8Array,
  next: () => number,
): { readonly bytes: Uint8Array; readonly at: number; readonly to: number } {
  const at = next() % bytes.length
  const to = (bytes[at]! + 1 + (next() % 255)) % 256
  return { bytes: Buffer.from(bytes).fill(to, at, at + 1), at, to }
}

const EDITS = 1000

describe('a thousand random edits of one byte', () => {
  let exported: Uint8Array = new Uint8Array(0)
  beforeAll(async () => {
    const { storage, dependencies, append } = await startTrail()
    for (const [first, last] of [
      [1, 5],
      [6, 9],
      [10, 17],
    ] as const) {
      await append(first, last)
      await makeCheckpoint(dependencies)
    }
    const about = { serviceId: 'flights', exportedAt: '2030-01-01T00:00:00.000Z', from: 1 }
    const lines: string[] = []
    for await (const line of exportLines({ storage, signer: AUDIT_KEY.signer!, keys: [AUDIT_KEY.publicJwk], ...about }))
      lines.push(line)
    exported = Buffer.from(lines.join(''))
  })

  const findingsIn = (bytes: Uint8Array) => {
    const judging = judgeExport([AUDIT_KEY])
    const splitter = lineSplitter((line) => judging.line(line))
    splitter.push(bytes)
    return judging.verdict(splitter.end()).findings
  }

  it('of an export are all found', () => {
    expect(findingsIn(exported)).toEqual([])
    const next = sequenceFrom(20_300_101)
    const missed = Array.from({ length: EDITS }, () => edited(exported, next)).filter(
      ({ bytes }) => findingsIn(bytes).length === 0,
    )
    expect(missed.map(({ at, to }) => ({ at, to }))).toEqual([])
  })

  it('of a manifest, its signature included, are all found', async () => {
    const text = readFileSync('examples/travel/svc.yaml', 'utf8')
    const { manifest } = check([{ file: 'svc.yaml', text }])
    const times = { issued_at: '2030-01-01T00:00:00Z', expires_at: '2030-02-01T00:00:00Z' }
    const key = generateRingKey('manifest', 'active')
    const { bytes } = publishManifest(manifest!, times)
    const jws = await signDetached(key.signer!, bytes)
    const findings = (document: Uint8Array, signature: string) =>
      verifyManifest(document, signature, [key], START).findings
    expect(findings(bytes, jws)).toEqual([])
    const next = sequenceFrom(20_300_102)
    const whole = Buffer.concat([bytes, Buffer.from(jws, 'latin1')])
    const missed = Array.from({ length: EDITS }, () => edited(whole, next)).filter(
      ({ bytes: changed }) =>
        findings(changed.subarray(0, bytes.length), Buffer.from(changed.subarray(bytes.length)).toString('latin1'))
          .length === 0,
    )
    expect(missed.map(({ at, to }) => ({ at, to }))).toEqual([])
  })
})
