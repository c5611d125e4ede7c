import { isAccount } from '../../protocol/credential.js'
import type { Principal } from '../../protocol/principals.js'
import { failure } from '../../protocol/failures.js'
import { refuse, Refusal } from '../errors/refusal.js'
import type { Known } from '../credentials/known.js'
import { assertNotBlocked } from './blocked.js'
import { assertClock } from './clock-difference.js'
import type { Service } from '../service.js'

/** The identity behind a bootstrap credential that is its own, or a refusal (section 5.5). */
export async function identityOf(service: Service, bearer: string, client: string): Promise<Known> {
  const known = await buyerOf(service, bearer, client)
  return known.actor === undefined ? known : refuseActor(known.actor, known)
}

/** The credential of an agent that acts for a person buys tokens, and nothing else (decisions, section 21). */
const refuseActor = (actor: Principal, { principal }: Known): never =>
  refuse(
    'insufficient_authority',
    `By this credential ${actor} acts for ${principal}: it buys tokens at /svc/tokens only.`,
    {
      requires: 'a credential of the person, or a token',
    },
  )

/** The identity behind a bootstrap credential, its own or an agent's that acts for another. */
export async function buyerOf(service: Service, bearer: string, client: string): Promise<Known> {
  assertClock(service)
  const identity = await service.bootstrap(bearer, client)
  return identity === undefined ? refuseUnknown(service, client, 'authentication_required') : noted(service, identity)
}

/** Refuses a credential that nobody knows. Guessing is bounded by client address. */
export function refuseUnknown(
  service: Service,
  client: string,
  type: 'authentication_required' | 'invalid_token',
): never {
  const wait = service.guesses.take(client, service.limits.badCredentialsPerMinute)
  if (wait === undefined) return refuse(type, 'Unknown credential.')
  throw new Refusal(failure('rate_limited', `Too many unknown credentials. Try again in ${wait} s.`), {
    retryAfter: wait,
  })
}

/**
 * Nothing is done in the name of an account before it is noted that it goes by this name (threat N01), or by who is
 * blocked.
 */
export async function noted(service: Service, identity: Known): Promise<Known> {
  if (isAccount(identity.credential)) await service.accounts.note(identity.credential, identity.principal)
  await assertNotBlocked(service, identity)
  return identity
}
