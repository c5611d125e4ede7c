import { failure } from '../../protocol/failures.js'
import { Refusal } from '../errors/refusal.js'
import type { RuntimeLimits } from '../limits.js'

/** What request bodies that are not complete yet take of memory, in sum and for each caller (threat N10). */
export interface BodiesInFlight {
  /** Begins a body of a root principal, or of a client address where no principal is known yet. */
  begin(caller: string): BodyInFlight
}

export interface BodyInFlight {
  /** Takes the bytes of a part; false where there is no room for them. */
  take(bytes: number): boolean
  /** Gives back what was taken: the body is complete, or nobody waits for it any more. */
  end(): void
}

/** What a part costs beside its bytes. */
const PART_BYTES = 256

type Bounds = Pick<RuntimeLimits, 'bodyBytesInFlight' | 'bodyBytesInFlightPerPrincipal'>

export function bodiesInFlight({ bodyBytesInFlight, bodyBytesInFlightPerPrincipal }: Bounds): BodiesInFlight {
  let all = 0
  const byCaller = new Map<string, number>()
  const add = (caller: string, bytes: number): void => {
    all += bytes
    const left = (byCaller.get(caller) ?? 0) + bytes
    if (left === 0) byCaller.delete(caller)
    else byCaller.set(caller, left)
  }
  return {
    begin: (caller) => {
      let taken = 0
      return {
        take: (bytes) => {
          const cost = bytes + PART_BYTES
          const own = (byCaller.get(caller) ?? 0) + cost
          if (all + cost > bodyBytesInFlight || own > bodyBytesInFlightPerPrincipal) return false
          add(caller, cost)
          taken += cost
          return true
        },
        end: () => {
          add(caller, -taken)
          taken = 0
        },
      }
    },
  }
}

export function refuseBusy(): never {
  const detail = 'Too many request bodies are on their way. Send fewer at a time, and each without pauses.'
  throw new Refusal(failure('rate_limited', detail), { retryAfter: 1 })
}
