/** The proof that a browser computes: of an honest trail it holds, and of no other one. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { kidIn } from '../../src/console/app/proof/signature.js'
import { prove } from '../../src/console/app/proof/verify.js'
import { canonicalBytes, canonicalText } from '../../src/crypto/json/canonical.js'
import { signDetached } from '../../src/crypto/jws/jws.js'
import { publishManifest } from '../../src/crypto/jws/published-manifest.js'
import { generateRingKey, type RingKey } from '../../src/crypto/keys/key-ring.js'
import { publishedKeysOf } from '../../src/crypto/keys/published-keys.js'
import { signCheckpoint } from '../../src/crypto/merkle/checkpoint.js'
import { leafHash, nodeHash, splitOf } from '../../src/crypto/merkle/merkle.js'
import type { AnsweredEntry, CheckpointDetail } from '../../src/protocol/audit.js'
import { capability, manifestOf } from '../runtime/fixture/manifest.js'

const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const CREATED = '2026-03-01T11:00:00.000Z'
const AFTER = Date.parse('2026-03-01T11:00:00.001Z')
const [MANIFEST, TOKENS, AUDIT] = [
  generateRingKey('manifest', 'active'),
  generateRingKey('tokens', 'active'),
  generateRingKey('audit', 'active'),
] as const

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const hex = (hash: Uint8Array): string => `sha256:${Buffer.from(hash).toString('hex')}`

function rootOf(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 1) return leaves[0]!
  const split = splitOf(leaves.length)
  return nodeHash(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)))
}

function pathTo(index: number, leaves: readonly Uint8Array[]): readonly Uint8Array[] {
  if (leaves.length === 1) return []
  const split = splitOf(leaves.length)
  return index < split
    ? [...pathTo(index, leaves.slice(0, split)), rootOf(leaves.slice(split))]
    : [...pathTo(index - split, leaves.slice(split)), rootOf(leaves.slice(0, split))]
}

const entryOf = (sequence: number): AnsweredEntry =>
  ({ sequence, entry_type: 'invocation', actor_key: 'agent:desk' }) as AnsweredEntry

interface Told {
  readonly size?: number
  readonly sequence?: number
  readonly entry?: Partial<AnsweredEntry>
  readonly checkpoint?: Partial<CheckpointDetail>
  readonly proof?: Partial<NonNullable<CheckpointDetail['inclusion_proof']>>
  readonly audit?: Partial<RingKey>
  readonly checkpointBy?: RingKey
  readonly manifestBy?: RingKey
  readonly expires?: string
  readonly published?: (keys: readonly object[]) => readonly object[]
  readonly served?: (text: string) => string
}

/** What a browser finds of an entry, where the service answers so. */
async function found({ size = 3, sequence = 2, entry = {}, ...told }: Told = {}) {
  const leaves = Array.from({ length: size }, (_, index) => leafHash(canonicalText(entryOf(index + 1))))
  const head = { checkpoint_id: 'ckp_1', sequence: 7, merkle_root: hex(rootOf(leaves)), entry_count: size, created_at: CREATED } // prettier-ignore
  const inclusion_proof = {
    leaf_index: sequence - 1,
    tree_size: size,
    leaf_hash: hex(leaves[sequence - 1] ?? leafHash('')),
    path: sequence > size ? [] : pathTo(sequence - 1, leaves).map(hex),
    ...told.proof,
  }
  const signed = await signCheckpoint((told.checkpointBy ?? AUDIT).signer!, head)
  const checkpoint = { ...signed, inclusion_proof, ...told.checkpoint }
  const times = { issued_at: '2026-02-01T00:00:00.000Z', expires_at: told.expires ?? '2026-04-01T00:00:00.000Z' }
  const keys = publishedKeysOf({ keys: [MANIFEST, TOKENS, { ...AUDIT, ...told.audit }] })
  const bytes = canonicalBytes(publishManifest(manifestOf({ search: capability() }), times, keys).document)
  const signature = await signDetached((told.manifestBy ?? MANIFEST).signer!, bytes)
  const text = told.served?.(Buffer.from(bytes).toString()) ?? Buffer.from(bytes).toString()
  const all = [MANIFEST, TOKENS, AUDIT].map(({ publicJwk }) => publicJwk)
  const answers: { readonly [path: string]: () => Response } = {
    '/svc/checkpoints?limit=1': () => Response.json({ checkpoints: [checkpoint] }),
    [`/svc/checkpoints/ckp_1?leaf_index=${sequence - 1}`]: () => Response.json(checkpoint),
    '/.well-known/jwks.json': () => Response.json({ keys: told.published?.(all) ?? all }),
    '/svc/manifest': () => new Response(text, { headers: { 'X-SVC-Signature': signature } }),
  }
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] })
  vi.stubGlobal('fetch', async (path: string, { credentials, redirect }: RequestInit = {}) => {
    // What everybody may read is asked without the cookie, and of this service alone.
    if (credentials !== 'omit' || redirect !== 'error') throw new Error(`${path} is asked wrongly.`)
    return answers[path]?.() ?? new Response('', { status: 404 })
  })
  const proof = await prove({ ...entryOf(sequence), ...entry }, 'flights')
  const broken = 'steps' in proof ? proof.steps.flatMap(({ holds, says }) => (holds ? [] : [says])) : []
  return [proof.state, ...broken]
}

const NOT_THE_LEAF = 'The entry is not the one at leaf 1'
const NOT_IN_TREE = 'The leaf is not in the tree of checkpoint 7'
const NO_AUDIT_KEY = 'No audit key that the manifest names signed the checkpoint'
const NO_MANIFEST_KEY = 'The manifest that names the key is not signed by a key for manifests, or has expired'

describe('a proof in the browser', () => {
  it('holds for each entry of a trail of any size', async () => {
    for (let size = 1; size <= 9; size++)
      for (let sequence = 1; sequence <= size; sequence++)
        expect([size, sequence, ...(await found({ size, sequence }))]).toEqual([size, sequence, 'verified'])
  })

  it.each<[string, Told, readonly string[]]>([
    ['another entry', { entry: { actor_key: 'agent:mole' } }, [NOT_THE_LEAF]],
    ['the leaf of another entry', { proof: { leaf_index: 0 } }, ['The entry is not the one at leaf 0', NOT_IN_TREE]],
    ['a tree of another size', { proof: { tree_size: 4 } }, [NOT_IN_TREE]],
    ['a smaller tree than was signed', { checkpoint: { entry_count: 4 } }, [NOT_IN_TREE, NO_AUDIT_KEY]],
    ['another root', { checkpoint: { merkle_root: hex(leafHash('')) } }, [NOT_IN_TREE, NO_AUDIT_KEY]],
    ['a path that is cut', { proof: { path: [] } }, [NOT_IN_TREE]],
    ['a path of what are no hashes', { proof: { path: ['sha256:00', 'sha256:00'] } }, [NOT_IN_TREE]],
    ['another time of the checkpoint', { checkpoint: { created_at: '2026-03-01T10:00:00.000Z' } }, [NO_AUDIT_KEY]],
    ['another id of the checkpoint', { checkpoint: { checkpoint_id: 'ckp_1\u0000' } }, ['unread']],
    ['a checkpoint by the key for tokens', { checkpointBy: TOKENS }, [NO_AUDIT_KEY]],
    ['a checkpoint by a key of nobody', { checkpointBy: generateRingKey('audit', 'active') }, [NO_AUDIT_KEY]],
    ['a key that had been retired before', { audit: { retiredFrom: AFTER - 2 } }, [NO_AUDIT_KEY]],
    ['a key that had leaked before', { audit: { untilCheckpoint: { sequence: 6, entry_count: 1, merkle_root: '' } } }, [NO_AUDIT_KEY]],
    ['a manifest by the audit key', { manifestBy: AUDIT }, [NO_MANIFEST_KEY]],
    ['a manifest by a key of nobody', { manifestBy: generateRingKey('manifest', 'active') }, [NO_MANIFEST_KEY]],
    ['a manifest that expires now', { expires: '2026-03-01T12:00:00.000Z' }, [NO_MANIFEST_KEY]],
    ['a manifest that says no time at which it ends', { expires: 'never' }, [NO_MANIFEST_KEY]],
    ['a manifest that was changed', { served: (text) => text.replace('Does something.', 'Does anything.') }, [NO_MANIFEST_KEY]],
    ['a key that is not what its name says', {
      manifestBy: { ...TOKENS, signer: { ...TOKENS.signer!, kid: MANIFEST.kid } },
      published: () => [{ ...TOKENS.publicJwk, kid: MANIFEST.kid }, AUDIT.publicJwk],
    }, [NO_MANIFEST_KEY]],
  ])('does not hold for %s', async (_, told, broken) => {
    const expected = broken[0] === 'unread' ? broken : ['broken', ...broken]
    expect(await found(told)).toEqual(expected)
  }) // prettier-ignore

  it('holds to the last for a key that ends: at its time, and at its checkpoint', async () => {
    expect(await found({ audit: { retiredFrom: AFTER - 1 } })).toEqual(['verified'])
    const untilCheckpoint = { sequence: 7, entry_count: 3, merkle_root: '' }
    expect(await found({ audit: { untilCheckpoint } })).toEqual(['verified'])
  })

  it('says of a redacted entry that it stands there, and no more', async () => {
    const leaf_hash = hex(leafHash(canonicalText(entryOf(2))))
    expect(await found({ entry: { redacted: true, actor_key: '', leaf_hash } as never })).toEqual(['withheld'])
    const other = hex(leafHash(''))
    expect(await found({ entry: { redacted: true, leaf_hash: other } as never })).toEqual(['broken', NOT_THE_LEAF])
  })

  it('waits for the checkpoint that covers the entry', async () => {
    expect(await found({ size: 2, sequence: 2 })).toEqual(['verified'])
    expect(await found({ size: 2, sequence: 3 })).toEqual(['unsigned'])
  })

  it('is none where the service does not answer', async () => {
    expect(await found({ served: () => 'no manifest' })).toEqual(['unread'])
    expect(await found({ published: () => { throw new Error('away') } })).toEqual(['unread'])
  }) // prettier-ignore
})

it('names a key only where the header of a signature has exactly the members that a service writes', () => {
  const signed = (header: object) => `${Buffer.from(JSON.stringify(header)).toString('base64url')}..c2ln`
  expect(kidIn(signed({ alg: 'ES256', kid: 'k' }))).toBe('k')
  for (const header of [
    { alg: 'ES256', kid: 'k', crit: [] },
    { alg: 'none', kid: 'k' },
    { alg: 'ES256', kid: 1 },
    { alg: 'ES256' },
  ])
    expect(kidIn(signed(header))).toBeUndefined()
})
