import { canonicalText } from '../../../crypto/json/canonical.js'
import { sha256Hex } from '../../../crypto/json/digest.js'
import { exclusiveInputs } from '../../../protocol/exclusive-inputs.js'
import { reasonOf } from '../../errors/reason.js'
import { refuse } from '../../errors/refusal.js'
import type { Service } from '../../service.js'
import type { Token } from '../../auth/token.js'
import type { GovernedFacts } from '../facts/facts.js'

/** Check whether the right to run alone is still held. */
export interface RightToRunAlone {
  /** Aborted when another holder may have taken over: whatever comes after is fenced off. */
  readonly lost: AbortSignal
  /** Says, by the store's clock, whether this invocation is still the holder. */
  confirm(): Promise<boolean>
}

/**
 * The right to be the only invocation of an exclusive token and its descendants (section 8, concurrency), or of the
 * values by which calls exclude each other.
 */
export interface Lease extends RightToRunAlone {
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

/**
 * The lease that calls share whose values exclude each other; undefined where those of the capability do not. An input
 * that was not given counts as a value (decisions, section 12).
 */
export function exclusionKeyOf({ name, capability, inputs }: GovernedFacts): string | undefined {
  const names = exclusiveInputs(capability)
  if (names.length === 0) return undefined
  const values = names.map((input) => (Object.hasOwn(inputs, input) ? inputs[input]! : null))
  return `values:${name}:${sha256Hex(canonicalText(values))}`
}

/** A lease that cannot be released lapses by itself; the answer does not wait for that. */
export async function releaseLeases({ log }: Service, invocationId: string, leases: readonly Lease[]): Promise<void> {
  for (const lease of leases)
    await lease.release().catch((error: unknown) => {
      log.warn('A lease could not be released.', { invocation_id: invocationId, error: reasonOf(error) })
    })
}

/** All of them as one; undefined where there are none. */
export function jointly(leases: readonly RightToRunAlone[]): RightToRunAlone | undefined {
  if (leases.length < 2) return leases[0]
  return {
    lost: AbortSignal.any(leases.map(({ lost }) => lost)),
    confirm: async () => (await Promise.all(leases.map((lease) => lease.confirm()))).every(Boolean),
  }
}

/** Takes a lease, renewed until it is released; `detail` tells the caller what another call holds. */
export async function takeLease(service: Service, key: string, owner: string, detail: string): Promise<Lease> {
  const { leases } = service.storage
  const { leaseMs } = service.limits
  if (!(await leases.acquire(key, owner, leaseMs))) return refuse('concurrent_request_rejected', detail)
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
