import { exportLine, sealOf, type ExportLine } from '../../../src/crypto/trail/audit-export.js'
import { canonicalText } from '../../../src/crypto/json/canonical.js'
import { signCheckpoint } from '../../../src/crypto/merkle/checkpoint.js'
import { sha256Hex } from '../../../src/crypto/json/digest.js'
import type { Checkpoint } from '../../../src/protocol/audit.js'
import { caseBook, flipped, type GoldenCase } from './golden-case.js'
import { AUDIT_KEY, checkpoints, consistency, detailOf, entryOf, FOREIGN_KEY, headOf, inclusion, RETIRED_KEY, rootAt, SIZE, textOf, TOKENS_KEY } from './material.js' // prettier-ignore

export async function checkpointCases(): Promise<readonly GoldenCase[]> {
  const { valid, invalid, cases } = caseBook('checkpoint')
  const [first, second, third] = (await checkpoints()) as [Checkpoint, Checkpoint, Checkpoint]
  const since = canonicalText(first)
  const proof = { from_size: 4, to_size: SIZE, path: consistency(4, SIZE) }
  const detail = { ...third, tree_size: SIZE, tree_head: third.merkle_root, consistency_proof: proof }
  valid('list-form', 'signed by the audit key', canonicalText(third))
  valid(
    'indented',
    'the canonical form of five members is signed, whatever the file looks like',
    JSON.stringify(second, undefined, 2),
  )
  valid('detail-form', 'with an inclusion proof', canonicalText(detailOf(third, 7)))
  valid('continues', 'with a proof that it continues an older one', canonicalText(detail), { since })
  const other = { ...headOf(2, 9), merkle_root: rootAt(4) }
  const changes: readonly (readonly [string, object])[] = [
    ['root', { merkle_root: rootAt(9) }], ['entry-count', { entry_count: SIZE - 1 }], ['sequence', { sequence: 4 }],
    ['time', { created_at: '2030-01-01T00:00:04.000Z' }], ['id', { checkpoint_id: 'ckp_other' }], ['signature', { signature: flipped(third.signature) }],
    ['tree-size', { tree_size: SIZE - 1 }], ['tree-head', { tree_head: rootAt(9) }],
  ] // prettier-ignore
  for (const [name, change] of changes)
    invalid(`${name}-changed`, 'a member was changed', canonicalText({ ...third, ...change }))
  invalid(
    'role-tokens',
    'signed by the token key',
    canonicalText(await signCheckpoint(TOKENS_KEY.signer!, headOf(3, SIZE))),
  )
  invalid(
    'foreign-key',
    'signed by a key that is not published',
    canonicalText(await signCheckpoint(FOREIGN_KEY.signer!, headOf(3, SIZE))),
  )
  const early = { ...headOf(3, SIZE), created_at: '2029-12-31T11:59:59.000Z' }
  valid(
    'retired-before',
    'signed by an audit key before it was retired',
    canonicalText(await signCheckpoint(RETIRED_KEY.signer!, early)),
  )
  invalid(
    'retired-after',
    'signed by an audit key after it was retired',
    canonicalText(await signCheckpoint(RETIRED_KEY.signer!, headOf(3, SIZE))),
  )
  const short = {
    ...detailOf(third, 7),
    inclusion_proof: { ...detailOf(third, 7).inclusion_proof!, path: inclusion(7, SIZE).slice(1) },
  }
  invalid('inclusion-short', 'a step of the inclusion proof is missing', canonicalText(short))
  invalid(
    'inclusion-of-other-size',
    'the inclusion proof is for another size',
    canonicalText({ ...detailOf(third, 4), inclusion_proof: detailOf(first, 4).inclusion_proof! }),
  )
  invalid(
    'rewritten',
    'rightly signed, but it does not continue the older one',
    canonicalText({
      ...(await signCheckpoint(AUDIT_KEY.signer!, other)),
      consistency_proof: { from_size: 4, to_size: 9, path: consistency(4, 9) },
    }),
    { since },
  )
  invalid('no-consistency-proof', 'nothing shows that it continues the older one', canonicalText(third), { since })
  invalid('inclusion-empty', 'what stands as inclusion proof is none', canonicalText({ ...third, inclusion_proof: {} }))
  invalid('tree-size-null', 'a member that is null is not absent', canonicalText({ ...third, tree_size: null }))
  const spelled = canonicalText(detailOf(third, 7)).replaceAll('"tree_size":13', '"tree_size":1.3e1')
  valid('number-respelled', 'a number is its value, however it is written', spelled)
  const deep = Array.from({ length: 300 }).reduce<unknown>((inner) => [inner], 'x')
  valid('deep', 'what is not signed may nest as deep as a canonical form', canonicalText({ ...third, 'x-deep': deep }))
  const since0 = canonicalText({ ...first, inclusion_proof: {} })
  valid('since-with-more', 'of the older one nothing counts but what is signed', canonicalText(detail), {
    since: since0,
  })
  return cases
}

export async function entryCases(): Promise<readonly GoldenCase[]> {
  const { valid, invalid, cases } = caseBook('entry')
  const [first, , third] = (await checkpoints()) as [Checkpoint, Checkpoint, Checkpoint]
  for (const sequence of [1, 2, 4, 8, 13])
    valid(`sequence-${sequence}`, 'under the last checkpoint', textOf(sequence), {
      checkpoint: canonicalText(detailOf(third, sequence)),
    })
  valid('under-the-first', 'under an older checkpoint', JSON.stringify(entryOf(3), undefined, 2), {
    checkpoint: canonicalText(detailOf(first, 3)),
  })
  const checkpoint = canonicalText(detailOf(third, 5))
  const changes: readonly (readonly [string, object])[] = [
    ['success', { success: false }], ['sequence', { sequence: 6 }], ['parameters', { parameters: {} }], ['member-added', { note: 1 }],
  ] // prettier-ignore
  for (const [name, change] of changes)
    invalid(name, 'a member was changed', canonicalText({ ...entryOf(5), ...change }), { checkpoint })
  invalid('other-proof', 'the proof is of another entry', textOf(6), { checkpoint })
  const { leaf_hash } = detailOf(third, 5).inclusion_proof!
  const withheld = { ...entryOf(5), redacted: true, leaf_hash }
  invalid('withheld', 'its content is withheld, so nothing but its inclusion is proven', canonicalText(withheld), {
    checkpoint,
  })
  invalid(
    'withheld-other',
    'its content is withheld, and the hash is of another entry',
    canonicalText({ ...withheld, leaf_hash: detailOf(third, 6).inclusion_proof!.leaf_hash }),
    { checkpoint },
  )
  invalid('no-proof', 'the checkpoint has no inclusion proof', textOf(5), { checkpoint: canonicalText(third) })
  invalid('foreign-checkpoint', 'the checkpoint is signed by another key', textOf(5), {
    checkpoint: canonicalText(detailOf(await signCheckpoint(FOREIGN_KEY.signer!, headOf(3, SIZE)), 5)),
  })
  return cases
}

type Lines = readonly ExportLine[]

async function sealed(lines: Lines, key = AUDIT_KEY): Promise<string> {
  const text = lines.map(exportLine).join('')
  return text + exportLine(await sealOf(key.signer!, lines.length, `sha256:${sha256Hex(text)}`))
}

async function soundLines(): Promise<Lines> {
  const made = await checkpoints()
  const header = {
    svc_audit_export: 1,
    service_id: 'flights',
    exported_at: '2030-01-01T00:00:00.000Z',
    from_sequence: 1,
    to_sequence: SIZE,
    keys: [AUDIT_KEY.publicJwk],
  } as const
  const body = made.map((checkpoint, index) => {
    const older = made[index - 1]
    return {
      type: 'checkpoint',
      checkpoint,
      path: older === undefined ? [] : consistency(older.entry_count, checkpoint.entry_count),
    } as const
  })
  const entries = Array.from(
    { length: SIZE },
    (_, index) =>
      ({ type: 'entry', sequence: index + 1, path: inclusion(index + 1, SIZE), leaf: textOf(index + 1) }) as const,
  )
  return [header, ...body, ...entries]
}

export async function exportCases(): Promise<readonly GoldenCase[]> {
  const { valid, invalid, cases } = caseBook('export')
  const lines = await soundLines()
  const [header, one, two, three, ...entries] = lines as [
    ExportLine,
    ExportLine,
    ExportLine,
    ExportLine,
    ...ExportLine[],
  ]
  const heads = [header, one, two, three]
  const text = await sealed(lines)
  const [held] = (await checkpoints()) as [Checkpoint]
  valid('whole', 'three checkpoints and thirteen entries', text)
  valid('held-checkpoint', 'it has the checkpoint that the reader holds', text, { since: canonicalText(held) })
  valid(
    'from-6',
    'it begins at entry 6',
    await sealed([{ ...header, from_sequence: 6 } as ExportLine, one, two, three, ...entries.slice(5)]),
  )
  const third = (await checkpoints())[2]!
  const withoutContent = (...sequences: readonly number[]): Lines =>
    entries.map((line, index) =>
      sequences.includes(index + 1)
        ? { type: 'entry', sequence: index + 1, path: inclusion(index + 1, SIZE), leaf_hash: detailOf(third, index + 1).inclusion_proof!.leaf_hash }
        : line,
    ) // prettier-ignore
  const erased = withoutContent(5)
  valid('erased', 'the content of entry 5 was erased, its proof was not', await sealed([...heads, ...erased]))
  valid('erased-runs', 'entry 12 accounts for 2, 3 and 5', await sealed([...heads, ...withoutContent(2, 3, 5)]))
  const silent: readonly (readonly [string, string, number, Lines])[] = [
    ['erased-silently', 'no entry accounts for the erasure of entry 4', 4, withoutContent(2, 3, 4, 5)],
    ['erased-erasure', 'the entry that accounts for entry 5 was erased itself', 5, withoutContent(5, 12)],
    ['erased-first', 'entry 1 is before what was accounted for', 1, withoutContent(1, 2, 3)],
    ['erased-last', 'entry 13 is after the erasure', 13, withoutContent(13)],
  ] // prettier-ignore
  for (const [name, why, first_bad, changed] of silent)
    invalid(name, why, await sealed([...heads, ...changed]), { first_bad })

  const edited = (sequence: number) =>
    ({ ...entries[sequence - 1]!, leaf: canonicalText({ ...entryOf(sequence), success: false }) }) as ExportLine
  const attacks: readonly (readonly [string, number, Lines])[] = [
    ['edited', 7, entries.with(6, edited(7))],
    ['deleted', 8, entries.toSpliced(7, 1)],
    ['inserted', 3, entries.toSpliced(2, 0, edited(3))],
    ['repeated', 4, entries.toSpliced(3, 0, entries[2]!)],
    ['reordered', 10, entries.toSpliced(9, 2, entries[10]!, entries[9]!)],
    ['truncated', 12, entries.slice(0, 11)],
    ['renumbered', 2, entries.with(1, { ...entries[1]!, sequence: 3 } as ExportLine)],
    ['proof-swapped', 6, entries.with(5, { ...entries[5]!, path: inclusion(5, SIZE) } as ExportLine)],
    ['leaf-not-canonical', 9, entries.with(8, { ...entries[8]!, leaf: ` ${textOf(9)}` } as ExportLine)],
  ] // prettier-ignore
  for (const [name, first_bad, changed] of attacks)
    invalid(name, 'entries were changed by somebody who can seal', await sealed([...heads, ...changed]), { first_bad })

  const forked = await signCheckpoint(AUDIT_KEY.signer!, { ...headOf(2, 9), merkle_root: rootAt(8) })
  invalid(
    'forked-checkpoint',
    'a second history for size 9',
    await sealed(lines.with(2, { ...two, checkpoint: forked } as ExportLine)),
    { first_bad: 5 },
  )
  const foreign = await signCheckpoint(FOREIGN_KEY.signer!, headOf(2, 9))
  invalid(
    'foreign-checkpoint',
    'a checkpoint signed by a foreign key',
    await sealed(lines.with(2, { ...two, checkpoint: foreign } as ExportLine)),
    { first_bad: 5 },
  )
  invalid('missing-checkpoint', 'the second checkpoint is missing', await sealed(lines.toSpliced(2, 1)), {
    first_bad: 5,
  })
  const broken: readonly (readonly [name: string, why: string, text: string, first_bad?: number])[] = [
    ['cut-among-entries', 'the export ends after entry 5, without a seal', text.split('\n').slice(0, 9).join('\n') + '\n', 6],
    ['nothing-but-a-header', 'the export ends after its header', text.slice(0, text.indexOf('\n') + 1), 1],
    ['nothing-but-a-seal', 'the export has no header', `${text.split('\n').at(-2)}\n`],
    ['no-header', 'the first line is a checkpoint', text.slice(text.indexOf('\n') + 1)],
    ['other-format', 'the header is of another version', text.replace('"svc_audit_export":1', '"svc_audit_export":2')],
    ['from-0', 'entries count from 1', await sealed([{ ...header, from_sequence: 0 } as ExportLine, ...lines.slice(1)])],
    ['to-less', 'the header knows of fewer entries', await sealed([{ ...header, to_sequence: 9 } as ExportLine, ...lines.slice(1)]), 10],
    ['blank-line', 'a blank line stands before entry 4', text.split('\n').toSpliced(7, 0, '').join('\n'), 4],
    ['null-line', 'a line that is no object stands in the place of entry 4', await sealed([...heads, ...entries.with(3, null as never)]), 4],
    ['checkpoint-among-entries', 'a checkpoint stands behind entry 2', await sealed([...heads, ...entries.toSpliced(2, 0, two)]), 3],
    ['odd-checkpoint', 'a line among the checkpoints is none', await sealed([header, one, { type: 'checkpoint' } as never, two, three, ...entries]), 1],
    ['two-seals', 'a seal stands where an entry is due', await sealed(text.trimEnd().split('\n').map((line) => JSON.parse(line) as ExportLine)), 14],
  ] // prettier-ignore
  for (const [name, why, changed, first_bad] of broken)
    invalid(name, why, changed, first_bad === undefined ? {} : { first_bad })
  invalid('foreign-seal', 'sealed by a foreign key', await sealed(lines, FOREIGN_KEY))
  const alien = [
    { ...header, keys: [AUDIT_KEY.publicJwk, TOKENS_KEY.publicJwk, RETIRED_KEY.publicJwk] },
    ...lines.slice(1),
  ] as Lines
  invalid(
    'role-tokens',
    'sealed by the token key, which the export lists as an audit key',
    await sealed(alien, TOKENS_KEY),
  )
  invalid('retired-seal', 'sealed by an audit key after it was retired', await sealed(alien, RETIRED_KEY))
  invalid(
    'other-service',
    'of another service, sealed by these keys',
    await sealed([{ ...header, service_id: 'hotels' } as ExportLine, ...lines.slice(1)]),
  )
  invalid('header-changed', 'the header was changed after sealing', text.replace('flights', 'hotels'))
  invalid('no-seal', 'the seal is missing', lines.map(exportLine).join(''))
  invalid('cut', 'the last line feed is missing', text.slice(0, -1))
  invalid('carriage-return', 'a line feed became a carriage return and a line feed', text.replace('\n', '\r\n'))
  const shorter = await sealed([
    { ...header, to_sequence: 4 } as ExportLine,
    one,
    ...entries.slice(0, 4).map((line, index) => ({ ...line, path: inclusion(index + 1, 4) }) as ExportLine),
  ])
  valid('shorter', 'an older export of the same trail', shorter)
  invalid('rolled-back', 'the reader holds a newer checkpoint', shorter, {
    since: canonicalText((await checkpoints())[2]),
    first_bad: 5,
  })
  const [seal = ''] = text.split('\n').slice(-2)
  const noted = canonicalText({ ...(JSON.parse(seal) as object), note: 'x' })
  const head = (one as Extract<ExportLine, { type: 'checkpoint' }>).checkpoint
  const without = Object.fromEntries(Object.entries(header).filter(([name]) => name !== 'service_id'))
  const odd: readonly (readonly [name: string, why: string, text: string, first_bad?: number])[] = [
    ['seal-member-added', 'the seal has a member that nobody signed', text.replace(seal, noted)],
    ['cut-in-the-seal', 'half a seal stands where an entry is due', text.slice(0, -100), 14],
    ['text-behind', 'behind the seal there is more', `${text}x`, 14],
    ['first-path', 'the first checkpoint continues nothing', await sealed(lines.with(1, { ...one, path: [rootAt(1)] } as ExportLine)), 1],
    ['no-service', 'the header does not name the service', await sealed(lines.with(0, without as never))],
    ['huge-number', 'a number that no double holds stands in the place of entry 4', text.split('\n').with(7, '9'.repeat(400)).join('\n'), 4],
    ['sequence-true', 'true is no sequence', await sealed([...heads, ...entries.with(0, { ...entries[0]!, sequence: true } as never)]), 1],
    ['leaf-null', 'a member that is null is not absent', await sealed([...heads, ...erased.with(4, { ...erased[4]!, leaf: null } as never)]), 5],
  ] // prettier-ignore
  for (const [name, why, changed, first_bad] of odd)
    invalid(name, why, changed, first_bad === undefined ? {} : { first_bad })
  valid(
    'checkpoint-with-more',
    'of a checkpoint nothing counts but what is signed',
    await sealed(lines.with(1, { ...one, checkpoint: { ...head, tree_size: 1 } } as never)),
  )
  return cases
}
