import { erasureDraft } from '../../crypto/trail/erasure.js'
import type { AuditDraft } from '../../protocol/audit.js'
import { durationMs } from '../../protocol/durations.js'
import type { Capability } from '../../protocol/manifest.js'
import { sealEntry } from '../storage/seal.js'
import { timestamp } from '../json/timestamp.js'
import type { Service } from '../service.js'
import type { ErasureAccount } from '../storage/contract.js'

/** Entries a transaction: few, so that nobody waits long; repeated as needed. */
const BATCH = 200

/**
 * Returns how long an entry is kept before it may be erased: as its capability declares, or else as its settlement
 * says, or else for ever.
 */
export function retentionsOf(
  capabilities: ReadonlyMap<string, Capability>,
): (draft: Pick<AuditDraft, 'capability'>) => number | undefined {
  const lengths = new Map<string | null, number>()
  for (const [name, { observability }] of capabilities) {
    const length = observability?.retention === undefined ? undefined : durationMs(observability.retention)
    if (length !== undefined) lengths.set(name, length)
  }
  return ({ capability }) => lengths.get(capability)
}

/**
 * Erases the content of entries that are kept no longer; their leaf hashes stay, so every proof does (section 6). What
 * is erased cannot be had back, so a replica whose clock is ahead goes by that of the store.
 */
export async function eraseExpired({ storage }: Service, due: number): Promise<number> {
  let erased = 0
  for (;;) {
    const batch = await storage.audit.erase({ due, limit: BATCH, account: ACCOUNT })
    erased += batch
    if (batch < BATCH) return erased
  }
}

const REASON = 'The time for which these entries are kept has passed.'

const ACCOUNT: ErasureAccount = {
  draft: (erased, now) => erasureDraft('service:retention', erased, REASON, timestamp(now)),
  seal: sealEntry,
}
