import type { Service } from '../service.js'

/** Says that this process lives: its intents are its own until the lease lapses. Notes when it had to be taken anew. */
export async function holdProcessLease({ storage, owner, limits, lease, now }: Service): Promise<void> {
  const key = leaseOf(owner)
  if (await storage.leases.renew(key, owner, limits.leaseMs)) return
  if (lease.wasHeld) lease.heldSince = now()
  if (await storage.leases.acquire(key, owner, limits.leaseMs)) lease.wasHeld = true
}

/** Gives the lease up: what this process has begun and not ended may be recovered at once. */
export const releaseProcessLease = ({ storage, owner }: Service): Promise<void> =>
  storage.leases.release(leaseOf(owner), owner)

const leaseOf = (owner: string): string => `process:${owner}`
