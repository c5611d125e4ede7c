import { failure } from '../../protocol/failures.js'
import type { Principal } from '../../protocol/principals.js'
import { Refusal } from '../errors/refusal.js'
import type { Service } from '../service.js'

/** Takes the place of one more token of a principal, or refuses where too many were issued (decisions, section 9). */
export async function takeTokenPlace(service: Service, principal: Principal): Promise<void> {
  const wait = await service.rates.take(`tokens ${principal}`, service.limits.tokensPerMinute)
  if (wait === undefined) return
  throw new Refusal(failure('rate_limited', `Too many tokens were issued. Try again in ${wait} s.`), {
    retryAfter: wait,
  })
}
