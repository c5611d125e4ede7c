import { durationMs } from '../protocol/durations.js'
import type { Service } from './service.js'
import { timestamp } from './timestamp.js'

const BATCH = 1_000

/** Erases the content of entries that a capability keeps no longer; their leaf hashes stay, so every proof does (section 6). */
export async function eraseExpired(service: Service): Promise<number> {
  let erased = 0
  for (const [name, { observability }] of service.capabilities) {
    const retention = observability?.retention === undefined ? undefined : durationMs(observability.retention)
    if (retention === undefined) continue
    erased += await service.storage.audit.erase(name, timestamp(service.now() - retention), BATCH)
  }
  return erased
}
