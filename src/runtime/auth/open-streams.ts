import { failure } from '../../protocol/failures.js'
import type { Token } from './token.js'
import { Refusal } from '../errors/refusal.js'
import type { Service } from '../service.js'

/**
 * Takes one of the streams that a principal may have open, and gives the way to give it back. What one of its delegates
 * opens, by whatever tokens it issued further down, counts under that delegate's token, too: so one agent leaves places
 * for its siblings.
 */
export function takeStream(service: Service, { claims, chain }: Token): () => void {
  const { root_principal } = claims
  const delegated = chain.filter((link) => link.claims.sub !== root_principal).map((link) => link.claims.jti)
  return takePlaces(service, root_principal, delegated)
}

/** The same for somebody who follows the trail without a token. */
export const takeTail = (service: Service, principal: string): (() => void) => takePlaces(service, principal, [])

function takePlaces({ streams, limits }: Service, principal: string, delegated: readonly string[]): () => void {
  const counted = [principal, ...delegated]
  const isFull = (name: string): boolean =>
    (streams.get(name) ?? 0) >= (name === principal ? limits.streamsPerPrincipal : limits.streamsPerDelegate)
  if (counted.some(isFull))
    throw new Refusal(failure('rate_limited', 'Too many streams of this principal are open.'), { retryAfter: 1 })
  for (const name of counted) streams.set(name, (streams.get(name) ?? 0) + 1)
  return () => {
    for (const name of counted) {
      const left = (streams.get(name) ?? 1) - 1
      if (left === 0) streams.delete(name)
      else streams.set(name, left)
    }
  }
}
