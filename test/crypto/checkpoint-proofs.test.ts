import { describe, expect, it } from 'vitest'
import { judgeCheckpoint, judgeEntry, readCheckpoint } from '../../src/crypto/merkle/checkpoint-proofs.js'
import { signCheckpoint, verifyCheckpoint } from '../../src/crypto/merkle/checkpoint.js'
import type { Checkpoint } from '../../src/protocol/audit.js'
import type { Json, JsonObject } from '../../src/protocol/manifest.js'
import { FOREIGN, KEY, trailOf } from './trail.js'

const TRAIL = trailOf(5)
const UNSIGNED = 'No trusted audit key signed this checkpoint: a member or the signature was changed.'
const NOT_INCLUDED = 'The inclusion proof does not lead to the root of this checkpoint.'
const NOT_CONSISTENT =
  'This checkpoint does not continue the older one: history was rewritten, or the proof is of others.'
const NO_CONSISTENCY = 'The checkpoint has no consistency proof (ask for it with ?consistency_from=).'

const five = async () => (await TRAIL.checkpoint(2, 5)) as unknown as JsonObject
const inclusion = { leaf_index: 1, tree_size: 5, leaf_hash: TRAIL.leafHashes[1]!, path: TRAIL.inclusion(1, 5) }
const consistency = { from_size: 2, to_size: 5, path: TRAIL.consistency(2, 5) }

describe('a checkpoint', () => {
  it('is read from its list-form members', async () => {
    const checkpoint = await five()
    expect(readCheckpoint({ ...checkpoint, tree_size: 5 })).toStrictEqual(checkpoint)
    expect(readCheckpoint({ ...checkpoint, sequence: 0, entry_count: 0 })).toStrictEqual({ ...checkpoint, sequence: 0, entry_count: 0 })
  })

  it.each<Json | undefined>([
    undefined, null, [], 'checkpoint', { checkpoint_id: 1 }, { created_at: 1 }, { signature: null }, { sequence: -1 }, { sequence: '1' }, { sequence: 1.5 }, { entry_count: null },
    { entry_count: -1 }, { merkle_root: 'x' }, { merkle_root: 1 },
  ])('is not read from %j', async (change) => {
    const value = typeof change === 'object' && change !== null && !Array.isArray(change) ? { ...(await five()), ...change } : change
    expect(readCheckpoint(value)).toBeUndefined()
  })

  it('is signed over these members and no others', async () => {
    const checkpoint = await TRAIL.checkpoint(1, 5)
    expect(verifyCheckpoint({ ...checkpoint, tree_size: 4 } as Checkpoint, [KEY])).toEqual({ kid: KEY.kid })
    for (const change of [{ checkpoint_id: 'x' }, { sequence: 2 }, { merkle_root: TRAIL.rootAt(4) }, { entry_count: 4 }, { created_at: 'x' }])
      expect(verifyCheckpoint({ ...checkpoint, ...change }, [KEY])).toBeUndefined()
  })

  it('is signed as a list-form record, whatever else is given', async () => {
    const { signature: _, ...head } = await TRAIL.checkpoint(1, 5)
    const signed = await signCheckpoint(KEY.signer!, head)
    expect(signed).toStrictEqual({ ...head, signature: expect.any(String) as string })
    expect(verifyCheckpoint(signed, [KEY])).toEqual({ kid: KEY.kid })
  })
}) // prettier-ignore

describe('what is wrong with a checkpoint', () => {
  it.each<[string, JsonObject, readonly string[]]>([
    ['nothing', {}, []],
    ['nothing, in detail form', { tree_size: 5, tree_head: TRAIL.rootAt(5), inclusion_proof: inclusion }, []],
    ['a size that is null', { tree_size: null }, ['tree_size and tree_head do not repeat entry_count and merkle_root.']],
    ['nothing, without an older one', { consistency_proof: {} }, []],
    ['its signature', { created_at: '2030-01-01T00:00:00.001Z' }, [UNSIGNED]],
    ['its size', { tree_size: 4 }, ['tree_size and tree_head do not repeat entry_count and merkle_root.']],
    ['its root', { tree_head: TRAIL.rootAt(4) }, ['tree_size and tree_head do not repeat entry_count and merkle_root.']],
    ['the leaf of its proof', { inclusion_proof: { ...inclusion, leaf_hash: TRAIL.leafHashes[0]! } }, [NOT_INCLUDED]],
    ['the place of its proof', { inclusion_proof: { ...inclusion, leaf_index: 0 } }, [NOT_INCLUDED]],
    ['the path of its proof', { inclusion_proof: { ...inclusion, path: [] } }, [NOT_INCLUDED]],
    ['the size of its proof, though it leads to the root', { inclusion_proof: { ...inclusion, tree_size: 6, path: TRAIL.inclusion(1, 5) } }, [NOT_INCLUDED]],
    ['the tree of its proof', { inclusion_proof: { ...inclusion, tree_size: 2, path: TRAIL.inclusion(1, 2) } }, [NOT_INCLUDED]],
    ['the form of its proof', { inclusion_proof: null }, [NOT_INCLUDED]],
    ['a proof that is a list', { inclusion_proof: [] }, [NOT_INCLUDED]],
    ['a place that is none', { inclusion_proof: { ...inclusion, leaf_index: -1 } }, [NOT_INCLUDED]],
    ['a size that is none', { inclusion_proof: { ...inclusion, tree_size: '5' } }, [NOT_INCLUDED]],
    ['a leaf that is no hash', { inclusion_proof: { ...inclusion, leaf_hash: 'x' } }, [NOT_INCLUDED]],
    ['a path that is no list', { inclusion_proof: { ...inclusion, path: {} } }, [NOT_INCLUDED]],
    ['a path that is not of hashes', { inclusion_proof: { ...inclusion, path: ['x'] } }, [NOT_INCLUDED]],
    ['everything', { created_at: 'x', tree_size: 4, inclusion_proof: {} }, [UNSIGNED, 'tree_size and tree_head do not repeat entry_count and merkle_root.', NOT_INCLUDED]],
    ['its form', { sequence: 'x' }, ['The file is not a checkpoint: a member is missing or has another type.']],
  ])('is %s', async (_, change, findings) => {
    const { findings: said, kid } = judgeCheckpoint({ ...(await five()), ...change }, [KEY])
    expect([said, kid]).toEqual([findings, findings.some((each) => each === UNSIGNED || each.includes('another type')) ? undefined : KEY.kid])
  })

  it('is the key that signed it', async () => {
    expect(judgeCheckpoint(await five(), [FOREIGN])).toStrictEqual({ findings: [UNSIGNED] })
  })

  it.each<[string, JsonObject, readonly string[]]>([
    ['nothing', { consistency_proof: consistency }, []],
    ['a missing proof', {}, [NO_CONSISTENCY]],
    ['a proof that is none', { consistency_proof: null }, [NO_CONSISTENCY]],
    ['a proof that is a list', { consistency_proof: [] }, [NO_CONSISTENCY]],
    ['a proof from no size', { consistency_proof: { ...consistency, from_size: '2' } }, [NO_CONSISTENCY]],
    ['a proof to no size', { consistency_proof: { ...consistency, to_size: -1 } }, [NO_CONSISTENCY]],
    ['a proof without a path', { consistency_proof: { ...consistency, path: ['x'] } }, [NO_CONSISTENCY]],
    ['a proof from another size', { consistency_proof: { ...consistency, from_size: 3, path: TRAIL.consistency(3, 5) } }, [NOT_CONSISTENT]],
    ['a proof to another size', { consistency_proof: { ...consistency, to_size: 4, path: TRAIL.consistency(2, 4) } }, [NOT_CONSISTENT]],
    ['a path that leads elsewhere', { consistency_proof: { ...consistency, path: [] } }, [NOT_CONSISTENT]],
  ])('after an older one is %s', async (_, change, findings) => {
    const older = await TRAIL.checkpoint(1, 2)
    expect(judgeCheckpoint({ ...(await five()), ...change }, [KEY], older)).toEqual({ findings, kid: KEY.kid })
  })

  it('is that it has the size of the older one, with a proof for another', async () => {
    const older = await TRAIL.checkpoint(1, 5)
    const record = { ...(await five()), consistency_proof: { from_size: 5, to_size: 5, path: [] } }
    expect(judgeCheckpoint(record, [KEY], older).findings).toEqual([])
    expect(judgeCheckpoint({ ...record, consistency_proof: { from_size: 4, to_size: 4, path: [] } }, [KEY], older).findings).toEqual([NOT_CONSISTENT])
    expect(judgeCheckpoint({ ...record, consistency_proof: { from_size: 4, to_size: 5, path: [] } }, [KEY], older).findings).toEqual([NOT_CONSISTENT])
    expect(judgeCheckpoint({ ...record, consistency_proof: { from_size: 5, to_size: 4, path: [] } }, [KEY], older).findings).toEqual([NOT_CONSISTENT])
  })

  it('is that the proof is to another size, though it leads to the same root', async () => {
    const [older, four] = [await TRAIL.checkpoint(1, 2), (await TRAIL.checkpoint(2, 4)) as unknown as JsonObject]
    const judged = (to_size: number) =>
      judgeCheckpoint({ ...four, consistency_proof: { from_size: 2, to_size, path: TRAIL.consistency(2, 4) } }, [KEY], older).findings
    expect([judged(4), judged(3)]).toEqual([[], [NOT_CONSISTENT]])
  })

  it('is that the proof is from another size, though it leads from the same root', async () => {
    const [older, three] = [await TRAIL.checkpoint(1, 2), (await TRAIL.checkpoint(2, 3)) as unknown as JsonObject]
    const judged = (from_size: number) =>
      judgeCheckpoint({ ...three, consistency_proof: { from_size, to_size: 3, path: TRAIL.consistency(2, 3) } }, [KEY], older).findings
    expect([judged(2), judged(1)]).toEqual([[], [NOT_CONSISTENT]])
  })

  it('is that nobody signed the older one', async () => {
    const older = await TRAIL.checkpoint(1, 2, FOREIGN)
    const { findings } = judgeCheckpoint({ ...(await five()), consistency_proof: consistency }, [KEY], older)
    expect(findings).toEqual(['No trusted audit key signed the older checkpoint.'])
  })
}) // prettier-ignore

describe('an entry', () => {
  const proven = async () => ({ ...(await five()), inclusion_proof: inclusion })

  it.each<[string, JsonObject, JsonObject, readonly string[]]>([
    ['is the one of the proof', {}, {}, []],
    ['is not the one of the proof', { note: 'y' }, {}, ['The entry is not the one that the proof is for: a member was changed, or the proof is of another entry.']],
    ['has another sequence', { sequence: 3 }, {}, ['The entry is not the one that the proof is for: a member was changed, or the proof is of another entry.', 'The entry has sequence 3, the proof is for 2.']],
    ['has no sequence', { sequence: 'x' }, {}, ['The entry is not the one that the proof is for: a member was changed, or the proof is of another entry.', 'The entry has sequence "x", the proof is for 2.']],
    ['has no proof', {}, { inclusion_proof: null }, [NOT_INCLUDED, 'The checkpoint has no inclusion proof.']],
    ['has the proof of another place', {}, { inclusion_proof: { ...inclusion, leaf_index: 2 } }, [NOT_INCLUDED, 'The entry has sequence 2, the proof is for 3.']],
  ])('%s', async (_, change, proof, findings) => {
    const entry = { ...TRAIL.entries[1]!, ...change }
    expect(judgeEntry(entry, { ...(await proven()), ...proof }, [KEY])).toEqual({ findings, kid: KEY.kid })
  })

  it('that is redacted is the one of the proof by its leaf, and says nothing of its place', async () => {
    const redacted = { redacted: true, leaf_hash: TRAIL.leafHashes[1]! }
    expect(judgeEntry(redacted, await proven(), [KEY])).toEqual({ findings: [], kid: KEY.kid })
    const { findings } = judgeEntry({ ...redacted, leaf_hash: TRAIL.leafHashes[2]! }, await proven(), [KEY])
    expect(findings).toEqual(['The entry is not the one that the proof is for: a member was changed, or the proof is of another entry.'])
  })

  it.each<[JsonObject, boolean]>([
    [{ redacted: true }, true], [{ redacted: true, note: 'y', sequence: 9 }, true], [{ redacted: true, leaf_hash: TRAIL.leafHashes[2]! }, false], [{ redacted: true, leaf_hash: null }, false],
    [{}, false], [{ redacted: false }, false], [{ redacted: null }, false], [{ redacted: 'true' }, false], [{ redacted: 1 }, false], [{ redacted: [true] }, false],
    [{ sequence: 2 }, false], [{ sequence: 2, note: 'y' }, false], [TRAIL.entries[1]!, false], [{ ...TRAIL.entries[1]!, redacted: false }, false],
  ])('with the leaf of the proof beside %j is the one of the proof: %s', async (members, isIt) => {
    const { findings } = judgeEntry({ leaf_hash: TRAIL.leafHashes[1]!, ...members }, await proven(), [KEY])
    expect(findings.includes('The entry is not the one that the proof is for: a member was changed, or the proof is of another entry.')).toBe(!isIt)
  })

  it('says who signed, or that nobody did', async () => {
    const { inclusion_proof: _, ...bare } = await proven()
    expect(judgeEntry(TRAIL.entries[1]!, bare, [KEY])).toStrictEqual({ findings: ['The checkpoint has no inclusion proof.'], kid: KEY.kid })
    expect(judgeEntry(TRAIL.entries[1]!, await proven(), [FOREIGN])).toStrictEqual({ findings: [UNSIGNED] })
  })
}) // prettier-ignore
