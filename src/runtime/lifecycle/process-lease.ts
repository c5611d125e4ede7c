import type { Service } from '../service.js'

/** Says that this process lives: its intents are its own until the lease lapses. */
export async function holdProcessLease({ storage, owner, limits }: Service): Promise<void> {
  const key = leaseOf(owner)
  if (!(await storage.leases.renew(key, owner, limits.leaseMs)))
    await storage.leases.acquire(key, owner, limits.leaseMs)
}

/** Gives the lease up: what this process has begun and not ended may be recovered at once. */
export const releaseProcessLease = ({ storage, owner }: Service): Promise<void> =>
  storage.leases.release(leaseOf(owner), owner)

const leaseOf = (owner: string): string => `process:${owner}`
