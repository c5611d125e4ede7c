import { beforeAll, describe, expect, it } from 'vitest'
import { exportLine, sealOf } from '../../src/crypto/trail/audit-export.js'
import { judgeExport, type ExportVerdict } from '../../src/crypto/trail/audit-export-judge.js'
import { canonicalText } from '../../src/crypto/json/canonical.js'
import { signCheckpoint } from '../../src/crypto/merkle/checkpoint.js'
import { sha256Hex } from '../../src/crypto/json/digest.js'
import { generateRingKey, type RingKey } from '../../src/crypto/keys/key-ring.js'
import type { Checkpoint } from '../../src/protocol/audit.js'
import { exportLines, type ExportRequest } from '../../src/runtime/checkpoints/export.js'
import { makeCheckpoint } from '../../src/runtime/checkpoints/make.js'
import { lineSplitter } from '../../src/cli/verify/lines.js'
import { AUDIT_KEY, erase, startTrail } from './trail.js'

interface Line {
  checkpoint: Checkpoint
  leaf: string
  path: string[]
  sequence: number
  keys: object[]
}

const FOREIGN = generateRingKey('audit', 'active')
const requestOf = (storage: ExportRequest['storage'], from = 1): ExportRequest => ({
  storage,
  signer: AUDIT_KEY.signer!,
  keys: [AUDIT_KEY.publicJwk],
  serviceId: 'flights',
  exportedAt: '2030-01-01T00:00:00.000Z',
  from,
})

async function exportOf(request: ExportRequest): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const line of exportLines(request)) lines.push(line)
  return lines
}

function judge(lines: readonly string[], keys: readonly RingKey[] = [AUDIT_KEY], held?: Checkpoint): ExportVerdict {
  const judging = judgeExport(keys, held)
  const splitter = lineSplitter((line) => judging.line(line))
  splitter.push(Buffer.from(lines.join('')))
  return judging.verdict(splitter.end())
}

/** Three checkpoints over 3, 8 and 14 entries. */
async function trailOf14() {
  const trail = await startTrail()
  for (const [first, last] of [
    [1, 3],
    [4, 8],
    [9, 14],
  ] as const) {
    await trail.append(first, last)
    await makeCheckpoint(trail.dependencies)
  }
  return trail
}

let sound: readonly string[] = []
beforeAll(async () => {
  sound = await exportOf(requestOf((await trailOf14()).storage))
})

/** Changes lines and seals them anew, as somebody who has the audit key could. */
async function resealed(change: (lines: Line[]) => void, key = AUDIT_KEY): Promise<readonly string[]> {
  const parsed = sound.slice(0, -1).map((line) => JSON.parse(line) as Line)
  change(parsed)
  const lines = parsed.map((line) => exportLine(line as never))
  return [...lines, exportLine(await sealOf(key.signer!, lines.length, `sha256:${sha256Hex(lines.join(''))}`))]
}

const HEADER = 0
const FIRST_ENTRY = 4

describe('an audit export', () => {
  it('holds header, checkpoints, entries with proofs and a seal, and verifies', () => {
    expect(sound).toHaveLength(1 + 3 + 14 + 1)
    expect(judge(sound)).toMatchObject({
      findings: [],
      entries: 14,
      kid: AUDIT_KEY.kid,
      header: { service_id: 'flights', to_sequence: 14 },
    })
  })

  it('may begin later', async () => {
    const { storage } = await trailOf14()
    expect(judge(await exportOf(requestOf(storage, 6)))).toMatchObject({ findings: [], entries: 9 })
    expect(judge(await exportOf(requestOf(storage, 14)))).toMatchObject({ findings: [], entries: 1 })
    expect(await exportOf(requestOf(storage, 15))).toEqual([])
  })

  it('keeps the proof of an entry whose content was erased', async () => {
    const { storage, dependencies } = await trailOf14()
    expect(await erase(storage, 5)).toBe(5)
    await expect(exportOf(requestOf(storage))).rejects.toThrow(
      'The content of entry 1 was erased, and the entry that accounts for it waits for the next checkpoint.',
    )
    await makeCheckpoint(dependencies)
    const lines = await exportOf(requestOf(storage))
    expect(lines[FIRST_ENTRY + 1]).toContain('"leaf_hash":"sha256:')
    expect(judge(lines)).toMatchObject({ findings: [], entries: 15, erased: 5, erasures: 1 })
    expect(judge(await exportOf(requestOf(storage, 4)))).toMatchObject({ findings: [], entries: 12, erased: 2 })
  })

  it('holds each of more entries than are read at once', async () => {
    const { storage, dependencies, append } = await startTrail()
    await append(1, 401)
    await makeCheckpoint(dependencies)
    expect(judge(await exportOf(requestOf(storage)))).toMatchObject({ findings: [], entries: 401 })
  })

  it('waits for an erasure that comes long after the last checkpoint', async () => {
    const { storage, append } = await trailOf14()
    await append(15, 314)
    await erase(storage, 5)
    await expect(exportOf(requestOf(storage))).rejects.toThrow('waits for the next checkpoint.')
  })

  it('is the same bytes when it is made again, but for its signature', async () => {
    const { storage } = await trailOf14()
    const request = requestOf(storage)
    expect((await exportOf(request)).slice(0, -1)).toEqual((await exportOf(request)).slice(0, -1))
  })
})

describe('A04: the first bad sequence is named', () => {
  const edited = (leaf: string) => leaf.replace('"success":true', '"success":false')

  const attacks: readonly (readonly [what: string, sequence: number, change: (lines: Line[]) => void])[] = [
    [
      'an edited entry',
      5,
      (lines: Line[]) => void (lines[FIRST_ENTRY + 4]!.leaf = edited(lines[FIRST_ENTRY + 4]!.leaf)),
    ],
    ['a deleted entry', 6, (lines: Line[]) => void lines.splice(FIRST_ENTRY + 5, 1)],
    [
      'an inserted entry',
      7,
      (lines: Line[]) =>
        void lines.splice(FIRST_ENTRY + 6, 0, {
          ...lines[FIRST_ENTRY + 6]!,
          leaf: edited(lines[FIRST_ENTRY + 6]!.leaf),
        }),
    ],
    [
      'an entry that is there twice',
      4,
      (lines: Line[]) => void lines.splice(FIRST_ENTRY + 3, 0, lines[FIRST_ENTRY + 2]!),
    ],
    [
      'reordered entries',
      2,
      (lines: Line[]) => void lines.splice(FIRST_ENTRY + 1, 2, lines[FIRST_ENTRY + 2]!, lines[FIRST_ENTRY + 1]!),
    ],
    ['a truncated tail', 13, (lines: Line[]) => void lines.splice(FIRST_ENTRY + 12)],
    [
      'a leaf that is not canonical',
      1,
      (lines: Line[]) => void (lines[FIRST_ENTRY]!.leaf = lines[FIRST_ENTRY]!.leaf.replace(',', ', ')),
    ],
    ['a proof that was changed', 3, (lines: Line[]) => void lines[FIRST_ENTRY + 2]!.path.pop()],
    ['a missing first entry', 1, (lines: Line[]) => void lines.splice(FIRST_ENTRY, 1)],
  ]

  it.each(attacks)('for %s: %i, even by somebody who can seal', async (_, sequence, change) => {
    const { findings } = judge(await resealed(change))
    expect(findings[0]).toMatchObject({ sequence })
  })

  it('for a forked checkpoint', async () => {
    const other = await startTrail()
    await other.append(101, 108)
    const forked = (await makeCheckpoint(other.dependencies)).made!
    const signed = await signCheckpoint(AUDIT_KEY.signer!, { ...forked, sequence: 2, entry_count: 8 })
    const { findings } = judge(await resealed((lines) => void (lines[2]!.checkpoint = signed)))
    expect(findings[0]).toMatchObject({
      sequence: 4,
      message: expect.stringContaining('Checkpoint 2 does not continue checkpoint 1'),
    })
  })

  it('for a checkpoint that was signed by a foreign key, though the export lists that key', async () => {
    const lines = await resealed((all) => void all[HEADER]!.keys.push(FOREIGN.publicJwk))
    const parsed = JSON.parse(lines[2]!) as Line
    const foreign = await signCheckpoint(FOREIGN.signer!, parsed.checkpoint)
    const changed = lines.with(2, exportLine({ ...parsed, checkpoint: foreign } as never))
    expect(judge(changed).findings[0]).toMatchObject({
      sequence: 4,
      message: expect.stringContaining('Checkpoint 2 is not signed by a trusted audit key'),
    })
  })

  it('for an export that is sealed by a foreign key, or whose checkpoints are', async () => {
    const { findings } = judge(await resealed(() => undefined, FOREIGN))
    expect(findings).toEqual([{ message: 'The export is not sealed by a trusted audit key of this service.' }])
    expect(judge(sound, [FOREIGN]).findings[0]).toMatchObject({ sequence: 1 })
  })

  it('for a missing checkpoint', async () => {
    const { findings } = judge(await resealed((lines) => void lines.splice(2, 1)))
    expect(findings[0]).toMatchObject({ sequence: 4 })
  })
})

describe('a checkpoint that the reader holds', () => {
  const checkpoints = () => sound.slice(1, 4).map((line) => (JSON.parse(line) as Line).checkpoint)

  it('is found in the export', () => {
    for (const held of checkpoints()) expect(judge(sound, [AUDIT_KEY], held).findings).toEqual([])
  })

  it('shows a rolled back trail', async () => {
    const { storage, dependencies, append } = await startTrail()
    await append(1, 3)
    await makeCheckpoint(dependencies)
    const { findings } = judge(await exportOf(requestOf(storage)), [AUDIT_KEY], checkpoints()[2])
    expect(findings[0]).toEqual({
      sequence: 4,
      message: 'Checkpoint 3, which you hold, is not in the export: it was truncated or rolled back.',
    })
  })

  it('shows another history', async () => {
    const { storage, dependencies, append } = await startTrail()
    await append(21, 23)
    await makeCheckpoint(dependencies)
    const { findings } = judge(await exportOf(requestOf(storage)), [AUDIT_KEY], checkpoints()[0])
    expect(findings[0]?.message).toContain('there are two histories')
  })
})

describe('the seal', () => {
  it('covers the header', () => {
    const { findings } = judge(sound.with(HEADER, sound[HEADER]!.replace('flights', 'flightz')))
    expect(findings).toEqual([{ message: 'The export was changed after it was sealed.' }])
  })

  it.each([
    ['is missing', (lines: readonly string[]) => lines.slice(0, -1), 'it was cut off'],
    [
      'lacks its line feed',
      (lines: readonly string[]) => [...lines.slice(0, -1), lines.at(-1)!.trimEnd()],
      'it was cut off',
    ],
    ['is followed by something', (lines: readonly string[]) => [...lines, '{}\n'], 'is not an entry as it is exported'],
    [
      'is not canonical',
      (lines: readonly string[]) => [...lines.slice(0, -1), lines.at(-1)!.replace(',', ', ')],
      'it was cut off',
    ],
  ])('is refused when it %s', (_, change, message) => {
    expect(
      judge(change(sound))
        .findings.map((finding) => finding.message)
        .join('\n'),
    ).toContain(message)
  })

  it('is refused when there is nothing at all', () => {
    expect(judge([]).findings).not.toEqual([])
    expect(judge(['\n']).findings).not.toEqual([])
    expect(judge([`${canonicalText({})}\n`]).findings).not.toEqual([])
  })
})
