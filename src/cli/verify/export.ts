import { judgeExport, type ExportVerdict } from '../../crypto/trail/audit-export-judge.js'
import { lineSplitter } from './lines.js'
import { heldCheckpoint } from './held-checkpoint.js'
import type { VerifierInput } from './given.js'
import type { Verdict } from './verdict.js'

/** Verifies an audit export; the first finding names the first bad sequence. */
export async function verifyExportFile({ bytes, origin, options, verify }: VerifierInput): Promise<Verdict> {
  const held = options.since === undefined ? undefined : await heldCheckpoint(options.since)
  const judge = judgeExport(origin.keysOf('audit'), held, origin.serviceId, verify)
  const splitter = lineSplitter((line) => judge.line(line))
  splitter.push(bytes)
  return verdictOf(judge.verdict(splitter.end()))
}

export function verdictOf({ header, entries, erased, erasures, checkpoints, kid, findings }: ExportVerdict): Verdict {
  const last = checkpoints.at(-1)
  const bad = findings.find(({ sequence }) => sequence !== undefined)?.sequence
  const facts = [
    ['service', header?.service_id], ['exported', header?.exported_at], ['entries', entries],
    ['erased', erased, erased === 0 ? undefined : `the content of ${erased}; only their hashes are proven`],
    ['erasures', erasures === 0 ? undefined : erasures],
    ['checkpoints', checkpoints.length], ['last_root', last?.merkle_root], ['last_made', last?.created_at],
    ['sealed_by', kid], ['first_bad', bad, `sequence ${bad}`],
  ] as const // prettier-ignore
  return {
    kind: 'export',
    facts: facts.flatMap(([name, value, said]) => (value === undefined ? [] : [[name, value, said ?? String(value)]])),
    findings: findings.map(({ message }) => message),
  }
}
