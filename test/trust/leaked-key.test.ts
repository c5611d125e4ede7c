/** M8: what a leaked audit key signed counts up to one checkpoint, for svc and for the second verifier alike. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RingKey } from '../../src/crypto/keys/key-ring.js'
import { readPublishedKeys } from '../../src/crypto/keys/published-keys.js'
import { readStoredKey } from '../../src/crypto/keys/stored-key.js'
import { signCheckpoint } from '../../src/crypto/merkle/checkpoint.js'
import type { Checkpoint } from '../../src/protocol/audit.js'
import { checkpointDetail } from '../../src/runtime/checkpoints/detail.js'
import { exportLines } from '../../src/runtime/checkpoints/export.js'
import { makeCheckpoint } from '../../src/runtime/checkpoints/make.js'
import { readKeyRing } from '../../src/runtime/keys/key-directory.js'
import { svc } from './command.js'
import { originOf } from './origin.js'
import { startTrail } from './trail.js'

type Trail = Awaited<ReturnType<typeof startTrail>>

let folder = ''
let origin: readonly string[] = []
let old: RingKey
let fresh: RingKey
let kept: readonly Checkpoint[] = []
let trail: Trail
const path = (name: string) => join(folder, name)
const write = (name: string, value: unknown) => {
  writeFileSync(path(name), JSON.stringify(value))
  return path(name)
}
const auditKey = async () =>
  (await readKeyRing(path('keys'))).keys.find(({ role, state }) => role === 'audit' && state === 'active')!

/** Before the clock of the machine, so that nothing here is dated after the end of the key. */
const DATED = Date.parse('2026-01-01T00:00:00.000Z')

async function checkpointed(on: Trail, key: RingKey): Promise<Checkpoint> {
  const clock = () => DATED
  return (await makeCheckpoint({ ...on.dependencies, clock, signer: () => key.signer!, keys: () => [old, fresh] }))
    .made!
}

async function exported(on: Trail, key: RingKey, name: string): Promise<string> {
  const keys = [old, fresh].map(({ publicJwk }) => publicJwk)
  const request = { storage: on.storage, signer: key.signer!, keys, serviceId: 'flights', exportedAt: '2026-01-01T00:00:00.000Z', from: 1 } // prettier-ignore
  let text = ''
  for await (const line of exportLines(request)) text += line
  writeFileSync(path(name), text)
  return path(name)
}

const python = (...args: readonly string[]) =>
  promisify(execFile)('python3', ['examples/verify/verify.py', ...args], { timeout: 60_000 }).then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    (error: { readonly code: number; readonly stdout: string }) => ({ code: error.code, out: error.stdout }),
  )

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-leaked-'))
  await svc('keys', 'generate', '--dir', path('keys'))
  fresh = old = await auditKey()
  trail = await startTrail()
  await trail.append(1, 3)
  const first = await checkpointed(trail, old)
  await trail.append(4, 5)
  kept = [first, await checkpointed(trail, old)]
  await svc('keys', 'rotate', '--dir', path('keys'), '--role', 'audit', '--lead', 'PT0S')
  fresh = await auditKey()
  const last = write('last.json', kept[1])
  expect(await svc('keys', 'retire', old.kid, '--dir', path('keys'), '--until-checkpoint', last)).toMatchObject({
    code: 0,
    err: expect.stringContaining('counts up to checkpoint 2 of 5 entries'),
  })
  origin = await originOf(path('keys'), path('origin'))
}, 60_000)
afterAll(async () => {
  await trail.storage.close()
  rmSync(folder, { recursive: true })
})

const judged = async (kind: 'checkpoint' | 'export', file: string, ...more: readonly string[]) => {
  const ours = kind === 'export' ? ['audit', 'verify'] : ['verify']
  const [one, other] = await Promise.all([
    svc(...ours, file, ...origin, ...more),
    python(kind, file, ...origin, ...more),
  ])
  expect(other.code, other.out).toBe(one.code)
  return one.out
}

describe('M8 of a leaked audit key', () => {
  it('the end is published in the signed manifest, and kept with the key', async () => {
    const { sequence, entry_count, merkle_root } = kept[1]!
    const manifest = JSON.parse(readFileSync(path('origin/manifest.json'), 'utf8')) as never
    expect(readPublishedKeys(manifest)?.[old.kid]?.until_checkpoint).toEqual({ sequence, entry_count, merkle_root })
    expect((await svc('keys', 'list', '--dir', path('keys'))).out).toContain('counts up to checkpoint 2')
    const listed = JSON.parse((await svc('keys', 'list', '--dir', path('keys'), '--json')).out) as { readonly keys: readonly { kid: string; until_checkpoint?: object }[] } // prettier-ignore
    expect(listed.keys.find(({ kid }) => kid === old.kid)?.until_checkpoint).toEqual({ sequence, entry_count, merkle_root }) // prettier-ignore
  })

  it.each([
    ['the last that counts', () => kept[1]!, undefined],
    ['one before it, alone', () => kept[0]!, 'has leaked and counts up to checkpoint 2'],
    ['one after it, dated before', () => signCheckpoint(old.signer!, { ...kept[1]!, sequence: 3 }), 'has leaked'],
    ['another of its place', () => signCheckpoint(old.signer!, { ...kept[1]!, merkle_root: kept[0]!.merkle_root }), 'has leaked'],
    ['another of its size', () => signCheckpoint(old.signer!, { ...kept[1]!, entry_count: 9 }), 'has leaked'],
    ['one of the key that followed', () => signCheckpoint(fresh.signer!, { ...kept[1]!, sequence: 3 }), undefined],
  ] as const)('a checkpoint: %s', async (_, make, why) => {
    const out = await judged('checkpoint', write('checkpoint.json', await make()))
    expect(out).toContain(why ?? `signed by`)
    expect(out.includes('has leaked')).toBe(why !== undefined)
  }) // prettier-ignore

  it('an older one that the reader holds counts, where one that counts continues it', async () => {
    const detail = await checkpointDetail(trail.storage, kept[1]!.checkpoint_id, {
      consistencyFrom: kept[0]!.checkpoint_id,
    })
    const since = write('since.json', kept[0])
    expect(await judged('checkpoint', write('detail.json', detail), '--since', since)).not.toContain('has leaked')
  })

  it('an export verifies that ends with the last that counts, and one that goes on with another key', async () => {
    expect(await judged('export', await exported(trail, fresh, 'two.ndjson'))).not.toContain('has leaked')
    expect(await judged('export', await exported(trail, old, 'own.ndjson'))).not.toContain('has leaked')
    await trail.append(6, 6)
    await checkpointed(trail, fresh)
    expect(await judged('export', await exported(trail, fresh, 'three.ndjson'))).not.toContain('has leaked')
    expect(await judged('export', await exported(trail, old, 'sealed.ndjson'))).toContain('The seal: The key')
  })

  it('what a thief adds to a trail, or writes anew, does not verify', async () => {
    const longer = await startTrail()
    await longer.append(1, 3)
    await checkpointed(longer, old)
    await longer.append(4, 5)
    await checkpointed(longer, old)
    await longer.append(6, 7)
    const options = { ...longer.dependencies, clock: () => DATED, signer: () => old.signer!, keys: () => [{ ...old }] }
    await makeCheckpoint(options)
    expect(await judged('export', await exported(longer, old, 'longer.ndjson'))).toMatch(/first bad +sequence 6\n[^]*has leaked/u) // prettier-ignore
    const other = await startTrail()
    await other.append(11, 15)
    await checkpointed(other, old)
    expect(await judged('export', await exported(other, old, 'other.ndjson'))).toMatch(/first bad +sequence 1\n[^]*has leaked/u) // prettier-ignore
    await Promise.all([longer, other].map(({ storage }) => storage.close()))
  })

  it('a service does not go on from what only the leaked key signed', async () => {
    const { storage, dependencies, append } = await startTrail()
    await append(1, 2)
    const retired = (await readKeyRing(path('keys'))).keys.find(({ kid }) => kid === old.kid)!
    await makeCheckpoint({ ...dependencies, signer: () => old.signer!, keys: () => [old] })
    await append(3, 3)
    const refused = await makeCheckpoint({ ...dependencies, signer: () => fresh.signer!, keys: () => [retired, fresh] })
    expect(refused).toEqual({ refused: 'checkpoint_altered' })
    await storage.close()
  })

  it.each([
    ['of what is no checkpoint', 'audit', () => ({}), 'is not a checkpoint'],
    ['of one that no audit key signed', 'audit', () => ({ ...kept[1]!, entry_count: 4 }), 'no audit key of this directory signed it'],
    ['of a key of another role', 'tokens', () => kept[1]!, 'only audit keys sign checkpoints'],
  ] as const)('refuses the end %s', async (_, role, make, why) => {
    const dir = path(`keys-${role}-${Object.keys(make()).length}`)
    await svc('keys', 'generate', '--dir', dir)
    const { kid } = (await readKeyRing(dir)).keys.find((key) => key.role === role)!
    await svc('keys', 'rotate', '--dir', dir, '--role', role, '--lead', 'PT0S')
    const ran = await svc('keys', 'retire', '--dir', dir, '--until-checkpoint', write('end.json', make()), '--', kid)
    expect(ran).toMatchObject({ code: 2, err: expect.stringContaining(why) })
  }) // prettier-ignore

  it('a key file that says its end wrongly is none', () => {
    const file = { ...old.publicJwk, svc_role: 'audit', svc_until_checkpoint: { sequence: 1 } }
    expect(readStoredKey(JSON.stringify(file))).toMatch(/^svc_until_checkpoint must be/u)
    const manifest = { service_identity: { 'x-keys': { k: { role: 'audit', until_checkpoint: { sequence: 1 } } } } }
    expect(readPublishedKeys(manifest)).toBeUndefined()
  })
})
