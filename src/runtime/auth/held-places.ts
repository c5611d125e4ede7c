import { failure } from '../../protocol/failures.js'
import type { Token } from './token.js'
import { Refusal } from '../errors/refusal.js'
import type { RuntimeLimits } from '../limits.js'
import type { Service } from '../service.js'
import { shareBelow } from '../request/share-below.js'

/** Kinds of connections that are held while nothing is sent. */
type Held = 'stream' | 'wait' | 'call'

/** Places of each kind: of a principal, and of one delegate's token with all below it, which leaves half to that one. */
const PLACES: { readonly [kind in Held]: (limits: RuntimeLimits) => readonly [ofPrincipal: number, below: number] } = {
  stream: ({ streamsPerPrincipal, streamsPerDelegate }) => [streamsPerPrincipal, streamsPerDelegate],
  wait: ({ connections }) => [connections / 40, connections / 80],
  call: ({ connections }) => [connections / 8, connections / 16],
}

/** Owner of the places. */
interface Holder {
  readonly rootPrincipal: string
  /** Ids of the tokens that others than the root principal hold, root first. */
  readonly delegated: readonly string[]
}

/**
 * Takes one of the streams that a principal may have open, and gives the way to give it back. What one of its delegates
 * opens, by whatever tokens it issued further down, counts under that delegate's token, too: so one agent leaves places
 * for its siblings.
 */
export const takeStream = (service: Service, token: Token): (() => void) =>
  takePlace(service, 'stream', holderOf(token))

/** Takes a stream for somebody who follows the trail without a token. */
export const takeTail = (service: Service, rootPrincipal: string): (() => void) =>
  takePlace(service, 'stream', { rootPrincipal, delegated: [] })

/** Takes one of the calls that may run for a principal at a time. */
export const takeCall = (service: Service, token: Token): (() => void) => takePlace(service, 'call', holderOf(token))

/** Takes one of the questions of a token's principal that may wait for a person. */
export const takeWaitOf = (service: Service, token: Token): (() => void) => takePlace(service, 'wait', holderOf(token))

/** Takes one of the questions of a principal that may wait for a decision. */
export const takeWait = (
  service: Service,
  party: { readonly rootPrincipal: string; readonly principals: readonly string[]; readonly chain: readonly string[] },
): (() => void) => {
  const { rootPrincipal, principals, chain } = party
  return takePlace(service, 'wait', {
    rootPrincipal,
    delegated: chain.filter((_, at) => principals[at + 1] !== rootPrincipal),
  })
}

const holderOf = ({ claims: { root_principal: rootPrincipal }, chain }: Token): Holder => ({
  rootPrincipal,
  delegated: chain.filter((link) => link.claims.sub !== rootPrincipal).map((link) => link.claims.jti),
})

function takePlace({ places, limits }: Service, kind: Held, { rootPrincipal, delegated }: Holder): () => void {
  const [ofPrincipal, below] = PLACES[kind](limits)
  const counted = [`${kind} ${rootPrincipal}`, ...delegated.map((id) => `${kind} ${id}`)]
  const mostAt = (at: number): number => (at === 0 ? ofPrincipal : shareBelow(below, at - 1, 1))
  if (counted.some((name, at) => (places.get(name) ?? 0) >= mostAt(at)))
    throw new Refusal(failure('rate_limited', `Too many ${kind}s of this principal are open.`), { retryAfter: 1 })
  for (const name of counted) places.set(name, (places.get(name) ?? 0) + 1)
  return () => {
    for (const name of counted) {
      const left = (places.get(name) ?? 1) - 1
      if (left === 0) places.delete(name)
      else places.set(name, left)
    }
  }
}
