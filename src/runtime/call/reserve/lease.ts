import { reasonOf } from '../../errors/reason.js'
import { refuse } from '../../errors/refusal.js'
import type { Service } from '../../service.js'
import type { Token } from '../../auth/token.js'

/** The right to be the only invocation of an exclusive token and its descendants (section 8, concurrency). */
export interface Lease {
  /** Aborted when another holder may have taken over: whatever comes after is fenced off. */
  readonly lost: AbortSignal
  /** Says, by the store's clock, whether this invocation is still the holder. */
  confirm(): Promise<boolean>
  release(): Promise<void>
}

/**
 * The lease that a token's invocations share: that of the first exclusive token of its chain; undefined where branches
 * are allowed.
 */
export const leaseKeyOf = ({ chain }: Token): string | undefined => {
  const exclusive = chain.find((link) => link.claims.constraints.concurrent_branches === 'exclusive')
  return exclusive === undefined ? undefined : `token:${exclusive.claims.jti}`
}

/** A lease that cannot be released lapses by itself; the answer does not wait for that. */
export async function releaseLease({ log }: Service, invocationId: string, lease: Lease): Promise<void> {
  await lease.release().catch((error: unknown) => {
    log.warn('A lease could not be released.', { invocation_id: invocationId, error: reasonOf(error) })
  })
}

/** Takes the lease of an exclusive token, renewed until it is released. */
export async function takeLease(service: Service, key: string, owner: string): Promise<Lease> {
  const { leases } = service.storage
  const { leaseMs } = service.limits
  if (!(await leases.acquire(key, owner, leaseMs)))
    return refuse('concurrent_request_rejected', 'Another invocation of this exclusive token is in flight.')
  const lost = new AbortController()
  const confirm = () => leases.renew(key, owner, leaseMs)
  const renewal = setInterval(
    () =>
      void confirm().then(
        (held) => held || lost.abort(),
        () => lost.abort(),
      ),
    leaseMs / 3,
  )
  renewal.unref()
  return {
    lost: lost.signal,
    confirm: async () => !lost.signal.aborted && (await confirm()),
    release: async () => {
      clearInterval(renewal)
      await leases.release(key, owner)
    },
  }
}
