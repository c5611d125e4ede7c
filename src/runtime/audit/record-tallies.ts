import type { AuditDraft } from '../../protocol/audit.js'
import { EMPTY_ENTRY } from '../../protocol/empty-entry.js'
import { timestamp } from '../json/timestamp.js'
import type { RuntimeLimits } from '../limits.js'
import type { Recorder } from './recorder.js'
import type { RefusalTally, Tally } from './refusal-tally.js'

/** The part of a service that counts refusals and records them. */
interface Counting {
  readonly limits: Pick<RuntimeLimits, 'refusalRetentionMs'>
  readonly refusalTally: RefusalTally
  readonly record: Recorder['record']
  readonly now: () => number
}

/** Records what was counted, one entry for each root principal; what cannot be recorded is counted again. */
export async function recordTallies(service: Counting): Promise<void> {
  const retentionMs = service.limits.refusalRetentionMs
  const recording = [...service.refusalTally.take()].map(async ([root, tally]) => {
    try {
      await service.record({ draft: draftOf(service, root, tally), retentionMs })
    } catch (error) {
      for (const [type, times] of tally.byType) service.refusalTally.count(root, type, times)
      throw error
    }
  })
  await Promise.all(recording)
}

function draftOf(service: Counting, root: string, { since, byType }: Tally): AuditDraft {
  const by_type = Object.fromEntries(byType)
  const count = [...byType.values()].reduce((sum, times) => sum + times, 0)
  const from = timestamp(since)
  return {
    ...EMPTY_ENTRY,
    entry_type: 'refusals',
    actor_key: root,
    root_principal: root,
    event_class: 'low_risk_failure',
    success: false,
    failure_type: 'rate_limited',
    token_id: null,
    delegation_chain: [],
    refused: { since: from, count, by_type },
    detail:
      `From ${from} on, ${count} calls were refused beyond the rate of entries; none of them has an entry of its ` +
      'own.',
    timestamp: timestamp(service.now()),
  }
}
