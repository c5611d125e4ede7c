import { sha256Hex } from '../../crypto/json/digest.js'
import { isAccount } from '../../protocol/credential.js'
import type { Principal } from '../../protocol/principals.js'
import { failure } from '../../protocol/failures.js'
import { refuse, Refusal } from '../errors/refusal.js'
import { claimedIssuer, isJwt } from '../../crypto/jws/oidc-token.js'
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
  return identity === undefined
    ? refuseUnknown(service, { bearer, client }, 'authentication_required')
    : noted(service, identity)
}

/** A credential, and the address that presents it. */
interface Presented {
  readonly bearer: string
  readonly client: string
}

/** Refuses a credential that nobody knows. Guessing is bounded by client address; by credential where it is not known. */
export function refuseUnknown(
  service: Service,
  { bearer, client }: Presented,
  type: 'authentication_required' | 'invalid_token',
): never {
  logUnknownIssuer(service, bearer)
  const wait = service.guesses.take(client || `credential ${sha256Hex(bearer)}`, service.limits.badCredentialsPerMinute)
  if (wait === undefined) return refuse(type, 'Unknown credential.')
  throw new Refusal(failure('rate_limited', `Too many unknown credentials. Try again in ${wait} s.`), {
    retryAfter: wait,
  })
}

const LINES_PER_MINUTE = 5

/** Logs that a JWT is of no configured provider; its issuer is not repeated: anybody may write one. */
function logUnknownIssuer({ providers, guesses, log }: Service, bearer: string): void {
  if (providers.length === 0 || !isJwt(bearer)) return
  const issuer = claimedIssuer(bearer)
  if (providers.some((each) => each.issuer === issuer)) return
  if (guesses.take('unknown issuer', LINES_PER_MINUTE) !== undefined) return
  const issuers = providers.map((each) => each.issuer)
  log.info('A token of another issuer than those of the identity providers, or of none, was refused.', {
    failed: 'iss',
    issuers,
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
