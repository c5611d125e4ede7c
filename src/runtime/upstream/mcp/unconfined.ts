import { noteUnconfined, type Unconfined } from '../../telemetry/unconfined-servers.js'
import type { PinnedUpstream } from './pinned.js'

/** Returns why nothing confines a server; undefined where it has walls, or runs elsewhere. */
export function unconfinedIn({ name, server }: Pick<PinnedUpstream, 'name' | 'server'>): Unconfined | undefined {
  if (!('package' in server) || server.confinement !== 'none') return undefined
  return { name, reason: server.reason ?? '' }
}

/** Notes a server that nothing confines, for the start of its service. */
export function noteConfinement(pinned: PinnedUpstream): void {
  const unconfined = unconfinedIn(pinned)
  if (unconfined !== undefined) noteUnconfined(unconfined)
}
