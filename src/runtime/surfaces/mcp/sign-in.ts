/** A person's sign-in at an identity provider as the credential of an agent (surfaces, credential B). */
import { createHash } from 'node:crypto'
import { canonicalText } from '../../../crypto/json/canonical.js'
import { sha256Hex } from '../../../crypto/json/digest.js'
import { signDelegation } from '../../../crypto/jws/jwt.js'
import { signerFor } from '../../../crypto/keys/key-ring.js'
import type { Budget } from '../../../protocol/token.js'
import { ID_PREFIX } from '../../../protocol/identifiers.js'
import { noted, refuseUnknown } from '../../auth/bootstrap.js'
import { issue } from '../../auth/issue.js'
import type { SignedIn } from '../../credentials/known.js'
import { forActor, rootAuthority, rootScopesOf } from '../../auth/root-authority.js'
import { takeTokenPlace } from '../../auth/token-rate.js'
import { refuse } from '../../errors/refusal.js'
import { recent, type Recent } from '../../rates/recent.js'
import type { Service } from '../../service.js'
import { DuplicateId } from '../../storage/contract.js'
import type { McpOptions, McpProfile } from './options.js'
import { resourceOf } from './unauthorized.js'

/** Gives the delegation token that stands for an access token of a provider, or refuses it. */
export type McpSignIn = (bearer: string, client: string) => Promise<string>

/**
 * One access token buys one delegation token, on all replicas and after a restart: its budget holds for all calls, and
 * once it is revoked the access token is of no use any more. The access token itself goes nowhere.
 */
export function signInFor(service: Service, options: McpOptions): McpSignIn {
  const { profile } = options
  const resource = resourceOf(options)
  if (profile === undefined || resource === undefined)
    return async () =>
      refuse('invalid_token', 'A delegation token is required. Exchange your credential for one at POST /svc/tokens.')
  const known = recent<Promise<string>>(service.limits.tokenCacheEntries)
  return (bearer, client) =>
    remembered(known, `${signerOf(service).kid} ${sha256Hex(bearer)}`, async () => {
      const signedIn = await signedInBy(service, bearer, options.audience ?? resource)
      if (signedIn === undefined) return refuseUnknown(service, { bearer, client }, 'invalid_token')
      return tokenFor(service, profile, signedIn, tokenIdOf(bearer, resource, profile))
    })
}

const signerOf = (service: Service) => signerFor(service.keys.ring(), 'tokens')

/** Calls that come at once share one exchange; a refused one is not remembered. */
function remembered(known: Recent<Promise<string>>, name: string, make: () => Promise<string>): Promise<string> {
  const already = known.get(name)
  if (already !== undefined) return already
  const made = make()
  known.set(name, made)
  made.catch(() => known.delete(name))
  return made
}

async function signedInBy({ providers }: Service, bearer: string, resource: string): Promise<SignedIn | undefined> {
  for (const provider of providers) {
    const signedIn = await provider.signedIn(bearer, resource)
    if (signedIn !== undefined) return signedIn
  }
  return undefined
}

/**
 * Of what is signed alone: the same signature may be written in several ways. A changed profile makes another token.
 */
const tokenIdOf = (bearer: string, resource: string, profile: McpProfile): string => {
  const signed = bearer.slice(0, bearer.lastIndexOf('.'))
  const { scope, ttlHours } = profile
  const budget = budgetOf(profile)
  const text = canonicalText({ signed, resource, profile: JSON.stringify([scope, budget, ttlHours]) })
  return ID_PREFIX.token + createHash('sha256').update(text).digest('base64url')
}

/** Makes the budget of a sign-in cumulative: a budget per call would limit nothing. */
const budgetOf = ({ budget }: McpProfile): Budget | undefined => budget && { mode: 'cumulative', ...budget }

async function tokenFor(service: Service, profile: McpProfile, by: SignedIn, id: string): Promise<string> {
  const stored = await signedAnew(service, id)
  if (stored !== undefined) return stored
  const identity = await noted(service, by.identity)
  await takeTokenPlace(service, identity.principal)
  try {
    const { token } = await issue(service, authorityOf(service, profile, by), [], identity, id)
    return token
  } catch (error) {
    // Another replica was asked at the same time.
    if (error instanceof DuplicateId) return (await signedAnew(service, id))!
    throw error
  }
}

/** The claims of a token are stored, never the token: it is signed again, and still the same one. */
async function signedAnew(service: Service, id: string): Promise<string | undefined> {
  const claims = (await service.storage.tokens.chain(id))?.at(-1)?.claims
  return claims && signDelegation(signerOf(service), claims, canonicalText(claims))
}

/** Returns the authority of a profile, limited to the person's entitlements and to the time of the sign-in. */
function authorityOf({ manifest, now }: Service, profile: McpProfile, { identity: by, agent, expiresAt }: SignedIn) {
  const identity = by.actor === undefined ? by : forActor(manifest, by)
  const entitled = rootScopesOf(manifest, identity)
  const scope = profile.scope.filter((each) => entitled.includes(each))
  if (scope.length === 0) refuse('scope_escalation', 'This person is entitled to nothing that agents may do here.')
  const { ttlHours } = profile
  const budget = budgetOf(profile)
  const request = {
    scope,
    subject: agent,
    ...(budget !== undefined && { budget }),
    ...(ttlHours !== undefined && { ttl_hours: ttlHours }),
  }
  const authority = rootAuthority(manifest, identity, request, Math.floor(now() / 1000))
  return { ...authority, exp: Math.min(authority.exp, expiresAt) }
}
