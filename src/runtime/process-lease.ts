import type { Service } from './service.js'

/** Says that this process lives: its intents are its own until the lease lapses. */
export async function holdProcessLease({ storage, owner, limits }: Service): Promise<void> {
  const key = `process:${owner}`
  if (!(await storage.leases.renew(key, owner, limits.leaseMs)))
    await storage.leases.acquire(key, owner, limits.leaseMs)
}
