import { describe, expect, it } from 'vitest'
import { exportLine, sealOf } from '../../src/crypto/trail/audit-export.js'
import { judgeExport, type ExportVerdict } from '../../src/crypto/trail/audit-export-judge.js'
import {
  readCheckpointLine,
  readEntryLine,
  readHeader,
  readLine,
  readSealLine,
  entryIn,
} from '../../src/crypto/trail/audit-export-lines.js'
import { sha256Hex } from '../../src/crypto/json/digest.js'
import { generateRingKey, type RingKey } from '../../src/crypto/keys/key-ring.js'
import type { Checkpoint } from '../../src/protocol/audit.js'
import type { JsonObject } from '../../src/protocol/manifest.js'
import { FOREIGN, KEY, trailOf } from './trail.js'

type Line = { [name: string]: unknown }
const TRAIL = trailOf(5)
const OTHER = trailOf(5, 'y')
const HASH = TRAIL.rootAt(1)

const headerOf = (change: object = {}): Line => ({
  svc_audit_export: 1, service_id: 'flights', exported_at: '2030-01-01T00:00:00.000Z', from_sequence: 1, to_sequence: 5, keys: [KEY.publicJwk],
  ...change,
}) // prettier-ignore

/** Header, checkpoints over so many entries, and the entries under the last one. */
async function linesOf(trail: typeof TRAIL, counts: readonly number[], header: object = {}): Promise<Line[]> {
  const last = counts.at(-1) ?? 0
  const checkpoints = await Promise.all(counts.map((count, index) => trail.checkpoint(index + 1, count)))
  return [
    headerOf({ to_sequence: last, ...header }),
    ...checkpoints.map((checkpoint, index) => ({
      type: 'checkpoint',
      checkpoint,
      path: index === 0 ? [] : trail.consistency(counts[index - 1]!, checkpoint.entry_count),
    })),
    ...trail.leaves
      .slice(0, last)
      .map((leaf, index) => ({ type: 'entry', sequence: index + 1, path: trail.inclusion(index, last), leaf })),
  ]
}
const sound = () => linesOf(TRAIL, [2, 5])

async function sealed(lines: readonly Line[], key = KEY, seal: object = {}): Promise<readonly string[]> {
  const texts = lines.map((line) => exportLine(line as never))
  const made = await sealOf(key.signer!, texts.length, `sha256:${sha256Hex(texts.join(''))}`)
  return [...texts, exportLine({ ...made, ...seal } as never)]
}

/** Judges texts that are lines; whoever reads them uses one buffer again and again. */
function judge(
  texts: readonly string[],
  keys: readonly RingKey[] = [KEY],
  held?: Checkpoint,
  isComplete = true,
): ExportVerdict {
  const judging = judgeExport(keys, held)
  for (const text of texts) {
    const bytes = Buffer.from(text.trimEnd())
    judging.line(bytes)
    bytes.fill(0)
  }
  return judging.verdict(isComplete)
}
const found = ({ findings }: ExportVerdict) => findings.map(({ sequence, message }) => [sequence, message])
const foundIn = async (lines: readonly Line[]) => found(judge(await sealed(lines)))

const isMissing = (due: number, there: number) => [
  due,
  `Entry ${due} is missing, out of order or altered: sequence ${there} stands in its place.`,
]
const isAnother = (due: number) => [
  due,
  `Entry ${due} is not the one that was recorded: it is not under the last checkpoint.`,
]
const isSilent = (sequence: number) => [
  sequence,
  `The content of entry ${sequence} was erased, and no entry accounts for it.`,
]
const NOT_SEALED = [undefined, 'The export is not sealed by a trusted audit key of this service.']
const CUT_OFF = [undefined, 'The export has no seal at its end: it was cut off.']
const CHANGED = [undefined, 'The export was changed after it was sealed.']
const NO_HEADER = [undefined, 'The first line is not the header of an audit export.'] // prettier-ignore

describe('an export', () => {
  it('tells what it holds', async () => {
    const lines = await sound()
    expect(judge(await sealed(lines))).toStrictEqual({
      findings: [],
      entries: 5,
      erased: 0,
      erasures: 0,
      checkpoints: [lines[1]!['checkpoint'], lines[2]!['checkpoint']],
      header: lines[0],
      kid: KEY.kid,
    })
  })

  it('keeps the proof of an entry that was erased', async () => {
    const lines = await sound()
    const { leaf: _, ...entry } = lines[4]!
    const erased = lines.with(4, { ...entry, leaf_hash: TRAIL.leafHashes[1] })
    expect(judge(await sealed(erased))).toMatchObject({ findings: [{ sequence: 2 }], entries: 5, erased: 1 })
    expect(await foundIn(erased)).toEqual([isSilent(2)])
    expect(await foundIn(lines.with(4, { ...entry, leaf_hash: HASH }))).toEqual([isAnother(2), isSilent(2)])
    expect(await foundIn(lines.with(4, { ...entry, sequence: 3, leaf_hash: TRAIL.leafHashes[1] }))).toEqual([isMissing(2, 3), isSilent(2)])
  }) // prettier-ignore

  it('may begin later, and may have a checkpoint over nothing', async () => {
    const later = await linesOf(TRAIL, [2, 5], { from_sequence: 3 })
    expect(judge(await sealed(later.toSpliced(3, 2)))).toMatchObject({ findings: [], entries: 3 })
    expect(await foundIn(await linesOf(TRAIL, [0, 5]))).toEqual([])
  })

  it('is one with a key among others', async () => {
    const lines = await linesOf(TRAIL, [5], { keys: [FOREIGN.publicJwk, KEY.publicJwk] })
    expect(found(judge(await sealed(lines), [FOREIGN, KEY]))).toEqual([])
  })
})

describe('what is wrong with an export is said, in the order of its entries', () => {
  it.each<[string, (lines: Line[]) => readonly Line[], readonly (readonly unknown[])[]]>([
    ['an altered entry', (lines) => lines.with(4, { ...lines[4], leaf: OTHER.leaves[1] }), [isAnother(2)]],
    ['an entry without its place', (lines) => lines.with(4, { ...lines[4], path: [] }), [isAnother(2)]],
    ['a sequence that the entry does not have', (lines) => lines.with(4, { ...lines[4], sequence: 7 }), [isMissing(2, 2)]],
    ['an entry that is not canonical', (lines) => lines.with(4, { ...lines[4], leaf: '{ }' }), [isMissing(2, 2), isAnother(2)]],
    ['an entry that has no sequence', (lines) => lines.with(4, { ...lines[4], leaf: '{}' }), [isMissing(2, 2), isAnother(2)]],
    ['two entries in the wrong order', (lines) => lines.with(4, lines[5]!).with(5, lines[4]!), [isMissing(2, 3), isAnother(2), isMissing(3, 2), isAnother(3)]],
    ['a line that is none', (lines) => lines.with(4, { type: 'entry' }), [[2, 'Line 5 is not an entry as it is exported.']]],
    ['a checkpoint among the entries', (lines) => lines.with(4, lines[1]!), [[2, 'Line 5 is not an entry as it is exported.']]],
    ['a seal among the entries', (lines) => lines.with(4, { type: 'seal' }), [[2, 'Line 5 is not an entry as it is exported.']]],
    ['two seals', (lines) => [...lines, { type: 'seal' }], [[6, 'Line 9 is not an entry as it is exported.'], [6, 'The header says that the entries end at 5; they end at 6, and the last checkpoint covers 5.']]],
    ['a missing end', (lines) => lines.slice(0, -1), [[5, 'The export ends before entry 5; it says that it has the entries up to 5.']]],
    ['an end that is said to come earlier', (lines) => lines.with(0, headerOf({ to_sequence: 4 })), [[5, 'The header says that the entries end at 4; they end at 5, and the last checkpoint covers 5.']]],
    ['no checkpoint', (lines) => lines.toSpliced(1, 2), [1, 2, 3, 4, 5].map(isAnother).concat([[6, 'The header says that the entries end at 5; they end at 5, and the last checkpoint covers 0.']])],
    ['a missing checkpoint', (lines) => lines.toSpliced(1, 1), [[1, 'Checkpoint 2 follows checkpoint 0; one is missing or out of order.']]],
    ['a checkpoint that is there twice', (lines) => lines.toSpliced(2, 0, { ...lines[1], path: [] }), [[3, 'Checkpoint 1 follows checkpoint 1; one is missing or out of order.']]],
    ['a checkpoint without its path', (lines) => lines.with(2, { ...lines[2], path: [] }), [[3, 'Checkpoint 2 does not continue checkpoint 1: history was forked or rewritten.']]],
    ['a checkpoint with another signature', (lines) => lines.with(2, { ...lines[2], checkpoint: { ...(lines[2]!['checkpoint'] as Checkpoint), signature: 'x' } }), [[3, 'Checkpoint 2 is not signed by a trusted audit key of this service.']]],
    ['a first checkpoint with another signature', (lines) => lines.with(1, { ...lines[1], checkpoint: { ...(lines[1]!['checkpoint'] as Checkpoint), signature: 'x' } }), [[1, 'Checkpoint 1 is not signed by a trusted audit key of this service.']]],
    ['another history', (lines) => lines.with(1, { ...lines[1], checkpoint: { ...(lines[1]!['checkpoint'] as Checkpoint), merkle_root: HASH } }), [[1, 'Checkpoint 1 is not signed by a trusted audit key of this service.'], [3, 'Checkpoint 2 does not continue checkpoint 1: history was forked or rewritten.']]],
    ['no header', (lines) => lines.slice(1), [NO_HEADER, NOT_SEALED]],
    ['no key', (lines) => lines.with(0, headerOf({ keys: [FOREIGN.publicJwk] })), [[1, 'Checkpoint 1 is not signed by a trusted audit key of this service.'], [3, 'Checkpoint 2 is not signed by a trusted audit key of this service.'], NOT_SEALED]],
  ])('%s', async (_, change, findings) => {
    expect(await foundIn(change(await sound()))).toEqual(findings)
  })

  it('a checkpoint over nothing has no path to the next', async () => {
    const lines = await linesOf(TRAIL, [0, 5])
    expect(await foundIn(lines.with(2, { ...lines[2], path: [HASH] }))).toEqual([
      [1, 'Checkpoint 2 does not continue checkpoint 1: history was forked or rewritten.'],
    ])
  })

  it('twenty things at most, the first ones, though they were found last', async () => {
    const trail = trailOf(30)
    const lines = (await linesOf(trail, [30])).map((line, index) => (index > 4 ? { ...line, path: [] } : line))
    const held = await OTHER.checkpoint(1, 5)
    const { findings } = judge(await sealed(lines), [KEY], held)
    expect(findings.map(({ sequence }) => sequence)).toEqual([1, ...Array.from({ length: 19 }, (_, index) => index + 4)])
  })

  it('twenty things of a million lines that are none, without a look at the others', async () => {
    const [header = {}] = await linesOf(TRAIL, [5])
    const judged = judgeExport([KEY])
    judged.line(Buffer.from(exportLine(header as never).slice(0, -1)))
    for (let count = 0; count < 1_000_000; count++) judged.line(new Uint8Array())
    const { findings, entries } = judged.verdict(true)
    expect([findings.length, findings[0]!.sequence, findings[17]!.sequence, entries]).toEqual([20, 1, 17, 1_000_000])
  })
}) // prettier-ignore

describe('what entries say is judged', () => {
  const at = (timestamp: string) => ({ timestamp, success: true, failure_type: null, delegation_chain: ['tok_1'] })
  const granted = { entry_type: 'approval_granted', approval_grant_id: 'grt_1', capability: 'book', approval: { grant_type: 'one_time' } }
  const used = { entry_type: 'invocation', approval_grant_id: 'grt_1', capability: 'book', ...at('2029-01-01T00:00:00.000Z') }

  it('a grant is not used beyond its end', async () => {
    const trail = trailOf(3, 'x', [granted, used, used])
    expect(await foundIn(await linesOf(trail, [3]))).toEqual([[3, 'Entry 3 should not be: the one-time grant grt_1 was used again.']])
    expect(await foundIn(await linesOf(trailOf(2, 'x', [granted, used]), [2]))).toEqual([])
  })

  it('an erasure says what it erased', async () => {
    const erasing = (erased: object) => trailOf(2, 'x', [{}, { entry_type: 'erasure', erased }])
    expect(await foundIn(await linesOf(erasing({}), [2]))).toEqual([[2, 'Entry 2 is an erasure, but it does not say which entries it erased.']])
    const lines = await linesOf(erasing({ ranges: [[1, 1]], count: 1 }), [2])
    const { leaf: _, ...first } = lines[2]!
    const erased = await sealed(lines.with(2, { ...first, leaf_hash: erasing({}).leafHashes[0] }))
    expect(judge(erased)).toMatchObject({ findings: [], erased: 1, erasures: 1 })
  })

  it('several that follow each other are one finding', async () => {
    const lines = await sound()
    const without = (line: Line, index: number): Line => ({ type: 'entry', sequence: line['sequence'], path: line['path'], leaf_hash: TRAIL.leafHashes[index] })
    const erased = lines.with(4, without(lines[4]!, 1)).with(5, without(lines[5]!, 2))
    expect(await foundIn(erased)).toEqual([[2, 'The content of the entries 2 to 3 was erased, and no entry accounts for it.']])
  })
}) // prettier-ignore

describe('a leaked key', () => {
  const NEXT = generateRingKey('audit', 'active')
  const untilFirst = async (): Promise<RingKey> => {
    const { sequence, entry_count, merkle_root } = await TRAIL.checkpoint(1, 2)
    return { ...KEY, untilCheckpoint: { sequence, entry_count, merkle_root } }
  }
  const counts = (sequence: number) => `The key ${KEY.kid} has leaked and counts up to checkpoint 1 (${TRAIL.rootAt(2)}) only; this is checkpoint ${sequence}. Take that one, or a later one of another key.`
  const keys = { keys: [KEY.publicJwk, NEXT.publicJwk] }

  it('proves nothing beyond its last checkpoint', async () => {
    expect(found(judge(await sealed(await sound()), [await untilFirst()]))).toEqual([[3, counts(2)], [undefined, `The seal: ${counts(2)}`]])
  })

  it('counts for its last checkpoint, and not for the seal of another', async () => {
    const first = await linesOf(TRAIL, [2])
    expect(found(judge(await sealed(first), [await untilFirst()]))).toEqual([])
    const empty = headerOf({ to_sequence: 0 })
    expect(found(judge(await sealed([empty]), [await untilFirst()]))).toEqual([])
  })

  it('is made up for by a later checkpoint of another key', async () => {
    const lines = await linesOf(TRAIL, [2, 5], keys)
    const checkpoint = await TRAIL.checkpoint(2, 5, NEXT)
    const texts = await sealed(lines.with(2, { ...lines[2], checkpoint }), NEXT)
    expect(found(judge(texts, [await untilFirst(), NEXT]))).toEqual([])
    const third = { type: 'checkpoint', checkpoint: await TRAIL.checkpoint(3, 5), path: [] }
    const longer = lines.with(2, { ...lines[2], checkpoint }).toSpliced(3, 0, third)
    expect(found(judge(await sealed(longer, NEXT), [await untilFirst(), NEXT]))).toEqual([[6, counts(3)]])
  })

  it.each([
    ['old old old', [[3, counts(3)]]],
    ['old old new', []],
    ['old new old', [[5, counts(3)]]],
    ['old new new', []],
    ['new old old', [[3, counts(3)]]],
    ['new old new', []],
    ['new new old', [[5, counts(3)]]],
  ])('is made up for by whichever key signed the last of three: %s', async (order, findings) => {
    const lines = await linesOf(TRAIL, [2, 4, 5], keys)
    const signers = order.split(' ').map((word) => (word === 'old' ? KEY : NEXT))
    for (const [index, count] of [2, 4, 5].entries())
      lines[index + 1] = { ...lines[index + 1], checkpoint: await TRAIL.checkpoint(index + 1, count, signers[index]) }
    expect(found(judge(await sealed(lines, NEXT), [await untilFirst(), NEXT]))).toEqual(findings)
  })

  it('of a checkpoint that was made after it was retired', async () => {
    const retired: RingKey = { ...KEY, state: 'retired', retiredFrom: Date.parse('2029-12-31T23:59:59.999Z') }
    const late = `The key ${KEY.kid} was retired at 2029-12-31T23:59:59.999Z, but this is dated 2030-01-01T00:00:00.000Z.`
    expect(found(judge(await sealed(await sound()), [retired]))).toEqual([[1, `Checkpoint 1: ${late}`], [3, `Checkpoint 2: ${late}`], [undefined, `The seal: ${late}`]])
  })
}) // prettier-ignore

describe('the service of an export', () => {
  it('is the one whose keys they are', async () => {
    const of = async (serviceId: string) => {
      const judging = judgeExport([KEY], undefined, serviceId)
      for (const text of await sealed(await sound())) judging.line(Buffer.from(text.trimEnd()))
      return found(judging.verdict(true))
    }
    expect(await of('flights')).toEqual([])
    expect(await of('hotels')).toEqual([[undefined, 'The export is of the service flights, the keys are those of hotels.']])
  })

  it('says how its first checkpoint continues another one in vain', async () => {
    const lines = await sound()
    expect(await foundIn(lines.with(1, { ...lines[1], path: [HASH] }))).toEqual([[1, 'Checkpoint 1 is the first, but says how it continues another one.']])
  })
}) // prettier-ignore

describe('a seal', () => {
  it('of a key that was retired before does not hold', async () => {
    const texts = await sealed(await sound())
    const retired = (at: string): RingKey => ({ ...KEY, state: 'retired', retiredFrom: Date.parse(at) })
    expect(found(judge(texts, [retired('2029-12-31T23:59:59.999Z')]))).toContainEqual([
      undefined,
      expect.stringMatching(/^The seal: The key \S+ was retired at 2029-12-31T23:59:59\.999Z, but this is dated 2030-01-01/u),
    ])
    expect(found(judge(texts, [retired('2030-01-01T00:00:00.000Z')]))).toEqual([])
    const later = await sealed(await linesOf(TRAIL, [2, 5], { exported_at: '2030-01-01T00:00:00.001Z' }))
    expect(found(judge(later, [retired('2030-01-01T00:00:00.000Z')]))).toEqual([
      [undefined, `The seal: The key ${KEY.kid} was retired at 2030-01-01T00:00:00.000Z, but this is dated 2030-01-01T00:00:00.001Z.`],
    ])
  }) // prettier-ignore

  it('of a key that the header does not list as it is published does not hold', async () => {
    const { use: _, ...bare } = KEY.publicJwk
    const messages = found(judge(await sealed(await linesOf(TRAIL, [5], { keys: [bare] })), [KEY]))
    expect(messages).toEqual([
      [1, 'Checkpoint 1 is not signed by a trusted audit key of this service.'],
      [undefined, 'The export is not sealed by a trusted audit key of this service.'],
    ])
  })

  it.each<[string, (texts: readonly string[]) => readonly string[], boolean, readonly (readonly unknown[])[]]>([
    ['is there', (texts) => texts.slice(0, -1), true, [CUT_OFF]],
    ['is whole', (texts) => texts, false, [CUT_OFF]],
    ['is canonical', (texts) => [...texts.slice(0, -1), texts.at(-1)!.replace(',', ', ')], true, [[6, 'Line 9 is not an entry as it is exported.'], [6, 'The header says that the entries end at 5; they end at 6, and the last checkpoint covers 5.'], CUT_OFF]],
    ['covers the header', (texts) => texts.with(0, texts[0]!.replace('flights', 'flightz')), true, [CHANGED]],
    ['is over something', (texts) => texts.slice(-1), true, [NO_HEADER, CUT_OFF]],
    ['is not over nothing', () => [], true, [NO_HEADER, CUT_OFF]],
    ['is not over an empty line', () => ['\n'], true, [NO_HEADER, CUT_OFF]],
  ])('%s', async (_, change, isComplete, findings) => {
    expect(found(judge(change(await sealed(await sound())), [KEY], undefined, isComplete))).toEqual(findings)
  })

  it.each<[string, RingKey, object, readonly unknown[]]>([
    ['is by a key that the reader trusts', FOREIGN, {}, NOT_SEALED],
    ['says how many lines it is over', KEY, { lines: 7 }, NOT_SEALED],
    ['has its form', KEY, { sha256: 'x' }, NOT_SEALED],
  ])('%s', async (_, key, change, finding) => {
    expect(found(judge(await sealed(await sound(), key, change)))).toEqual([finding])
  })

  it('counts its lines', async () => {
    const texts = (await sound()).map((line) => exportLine(line as never))
    const seal = exportLine(await sealOf(KEY.signer!, 7, `sha256:${sha256Hex(texts.join(''))}`))
    expect(judge([...texts, seal])).toMatchObject({ findings: [{ message: CHANGED[1] }], kid: KEY.kid })
  })

  it('says nothing of who made it where nobody did', async () => {
    expect(Object.keys(judge(['{}']))).toEqual(['findings', 'entries', 'erased', 'erasures', 'checkpoints'])
  })
}) // prettier-ignore

describe('a checkpoint that is held', () => {
  it.each<[string, () => Promise<Checkpoint>, readonly (readonly unknown[])[]]>([
    ['is in the export', () => TRAIL.checkpoint(2, 5), []],
    ['is not in it', () => TRAIL.checkpoint(3, 5), [[6, 'Checkpoint 3, which you hold, is not in the export: it was truncated or rolled back.']]],
    ['is of another root', () => OTHER.checkpoint(2, 5), [[1, 'Checkpoint 2, which you hold, has another root than the one in the export: there are two histories.']]],
    ['is of another size', async () => ({ ...(await TRAIL.checkpoint(2, 5)), entry_count: 4 }), [[1, 'Checkpoint 2, which you hold, has another root than the one in the export: there are two histories.']]],
  ])('%s', async (_, held, findings) => {
    expect(found(judge(await sealed(await sound()), [KEY], await held()))).toEqual(findings)
  })

  it('is not in an export without checkpoints, or without a header', async () => {
    const held = await TRAIL.checkpoint(1, 2)
    expect(found(judge(await sealed([headerOf({ to_sequence: 0 })]), [KEY], held))).toEqual([
      [1, 'Checkpoint 1, which you hold, is not in the export: it was truncated or rolled back.'],
    ])
    expect(found(judge([], [KEY], held))).toEqual([NO_HEADER, CUT_OFF])
  })
}) // prettier-ignore

describe('a line', () => {
  const bytes = (text: string) => Buffer.from(text)
  it('is an object in its canonical form', () => {
    expect(readLine(bytes('{"a":1,"b":"é"}'))).toEqual({ a: 1, b: 'é' })
  })

  it.each(['', '{', '[]', 'null', '"a"', '{"b":1,"a":2}', '{"a": 1}', '\ufeff{"a":1}', '{"a":1.0}'])('is not %j', (text) => {
    expect(readLine(bytes(text))).toBeUndefined()
  })

  const header = headerOf() as JsonObject
  it('may be a header, whose keys are those that are keys', () => {
    expect(readHeader({ ...header, keys: [null, {}, KEY.publicJwk] as never, more: 1 })).toStrictEqual(header)
    expect(readHeader({ ...header, from_sequence: 3, to_sequence: 0, keys: [] })).toStrictEqual({ ...header, from_sequence: 3, to_sequence: 0, keys: [] })
  })

  it.each<JsonObject>([
    { svc_audit_export: 2 }, { service_id: 1 }, { exported_at: 1 }, { from_sequence: 0 }, { from_sequence: 1.5 }, { from_sequence: '1' }, { to_sequence: -1 },
    { to_sequence: null }, { keys: {} }, { keys: null },
  ])('is no header with %j', (change) => {
    expect(readHeader({ ...header, ...change })).toBeUndefined()
  })

  it('may be a checkpoint', async () => {
    const checkpoint = (await TRAIL.checkpoint(1, 2)) as unknown as JsonObject
    const line = { type: 'checkpoint', checkpoint, path: [HASH] }
    expect(readCheckpointLine(line)).toStrictEqual(line)
    for (const change of [{ type: 'entry' }, { checkpoint: {} }, { path: {} }, { path: ['x'] }, { path: [1] }])
      expect(readCheckpointLine({ ...line, ...change })).toBeUndefined()
  })

  const entry = { type: 'entry', sequence: 1, path: [] }
  it('may be an entry or its hash, and not both', () => {
    expect(readEntryLine({ ...entry, leaf: '{}' })).toStrictEqual({ ...entry, leaf: '{}' })
    expect(readEntryLine({ ...entry, leaf_hash: HASH })).toStrictEqual({ ...entry, leaf_hash: HASH })
  })

  it.each<JsonObject>([
    {}, { leaf: '{}', leaf_hash: HASH }, { leaf: {} }, { leaf: null, leaf_hash: HASH }, { leaf_hash: 'x' }, { leaf: '{}', type: 'seal' }, { leaf: '{}', sequence: -1 },
    { leaf: '{}', sequence: '1' }, { leaf: '{}', path: null }, { leaf: '{}', path: ['x'] },
  ])('is no entry with %j', (change) => {
    expect(readEntryLine({ ...entry, ...change })).toBeUndefined()
  })

  const seal = { type: 'seal', lines: 1, sha256: HASH, signature: 'a..b' }
  it('may be a seal', () => {
    expect(readSealLine(seal)).toStrictEqual(seal)
    for (const change of [{ type: 'entry' }, { lines: -1 }, { lines: '1' }, { sha256: 'x' }, { signature: 1 }, { more: 1 }])
      expect(readSealLine({ ...seal, ...change })).toBeUndefined()
  })

  it.each<[string, number | undefined]>([
    ['{"sequence":7}', 7], ['{"a":1,"sequence":0}', 0], ['{"sequence":-1}', undefined], ['{"sequence":"7"}', undefined], ['{"sequence":1.5}', undefined],
    ['{"sequence": 7}', undefined], ['[]', undefined], ['null', undefined], ['{', undefined], ['{}', undefined],
  ])('%s has sequence %s', (leaf, sequence) => {
    expect(entryIn(leaf)?.sequence).toBe(sequence)
  })
}) // prettier-ignore

describe('a leaf', () => {
  it('may nest as deep as a canonical form, as what one step hands to the next may', () => {
    const deep = '['.repeat(511) + ']'.repeat(511)
    expect(entryIn(`{"parameters":${deep},"sequence":7}`)?.sequence).toBe(7)
    expect(entryIn(`{"parameters":[${deep}],"sequence":7}`)).toBeUndefined()
  })
})
