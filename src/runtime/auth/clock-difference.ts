/**
 * Check that the clocks of this replica and of the store agree (threat N09). Tokens and keys expire by the one,
 * grants and leases by the other, so a replica whose clock deviates beyond the token tolerance refuses every
 * credential.
 */
import { refuse } from '../errors/refusal.js'
import type { Service } from '../service.js'

/** The most that `clockToleranceSeconds` may be. */
const MOST_MS = 30_000

/** Asks the store for its time. An embedded store has the clock of this process. */
export async function compareClocks({ storage, alarms, log, now }: Service): Promise<void> {
  if (!storage.isShared) return
  const asked = now()
  const there = await storage.now()
  const ahead = Math.max(asked - there, 0) - Math.max(there - now(), 0)
  if (Math.abs(ahead) <= MOST_MS) return alarms.clear('clock_differs')
  if (!alarms.has('clock_differs'))
    log.error(
      'The clock of this replica differs from that of the database. Set both by NTP; credentials are refused until they agree.',
      {
        ahead_ms: ahead,
      },
    )
  alarms.add('clock_differs')
}

/** Refuses to judge what expires by a clock that is wrong; a replica whose clock is right may be asked again. */
export function assertClock({ alarms }: Service): void {
  if (alarms.has('clock_differs'))
    refuse('service_unavailable', 'The clock of this replica is wrong, so it cannot tell what has expired.')
}
