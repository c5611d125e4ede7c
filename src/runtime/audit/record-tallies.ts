import type { AuditDraft } from '../../protocol/audit.js'
import { EMPTY_ENTRY } from '../../protocol/empty-entry.js'
import { timestamp } from '../json/timestamp.js'
import type { Service } from '../service.js'
import type { Tally } from './refusal-tally.js'

/** Records what was counted, one entry for each root principal; what cannot be recorded is counted again. */
export async function recordTallies(service: Service): Promise<void> {
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

function draftOf(service: Service, root: string, { since, byType }: Tally): AuditDraft {
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
