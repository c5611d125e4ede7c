import { failure } from '../../protocol/failures.js'
import type { Principal } from '../../protocol/principals.js'
import { Refusal } from '../errors/refusal.js'
import type { Service } from '../service.js'

/** Takes the place of one more token of a principal, or refuses where too many were issued (decisions, section 9). */
export const takeTokenPlace = (service: Service, principal: Principal): Promise<void> =>
  takePlace(service, `tokens ${principal}`, 'Too many tokens were issued.')

/**
 * The same of one more revocation of a token that is revoked already: it ends nothing, and has an entry on the trail
 * (threat N10). What is revoked for the first time needs no place.
 */
export const takeRepetitionPlace = (service: Service, principal: Principal): Promise<void> =>
  takePlace(service, `revoked again ${principal}`, 'Tokens that are revoked already were revoked too often.')

async function takePlace({ rates, limits }: Service, name: string, detail: string): Promise<void> {
  const wait = await rates.take(name, limits.tokensPerMinute)
  if (wait === undefined) return
  throw new Refusal(failure('rate_limited', `${detail} Try again in ${wait} s.`), { retryAfter: wait })
}
