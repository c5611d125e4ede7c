import { canonicalText } from '../../crypto/json/canonical.js'
import { sha256Hex } from '../../crypto/json/digest.js'
import { signDelegation } from '../../crypto/jws/jwt.js'
import { signerFor, verificationKeys } from '../../crypto/keys/key-ring.js'
import type { IssuedToken } from '../../protocol/audit.js'
import { isAccount } from '../../protocol/credential.js'
import type { DelegationClaims, TokenRecord, TokenResponse } from '../../protocol/token.js'
import { present } from '../json/present.js'
import { refuse } from '../errors/refusal.js'
import type { Service } from '../service.js'
import { timestamp } from '../json/timestamp.js'
import { endIfBlocked } from './blocked.js'
import type { Authority } from './authority.js'
import type { Known } from '../credentials/known.js'

/** The credential that buys a token, and those behind the agent that acts by it. */
type Buyer = Pick<Known, 'credential' | 'innerActors'>

/** Issues a token below the given ancestors: signed, stored and on the trail before it is answered (section 4.4). */
export async function issue(
  service: Service,
  authority: Authority,
  ancestors: readonly TokenRecord[],
  by: Buyer = {},
  jti: string = service.ids.make('token'),
): Promise<TokenResponse> {
  const { credential } = by
  const now = Math.floor(service.now() / 1000)
  const claims: DelegationClaims = {
    jti,
    iss: service.id,
    aud: service.id,
    iat: now,
    nbf: now,
    ...authority,
  }
  const written = canonicalText(claims)
  if (Buffer.byteLength(written) > service.limits.claimsBytes)
    refuse('invalid_parameters', 'The scopes and the purpose of the token are too large together.')
  const signer = signerFor(service.keys.ring(), 'tokens')
  const token = await signDelegation(signer, claims, written)
  // Side by side they share a commit; whichever fails, the token is never answered.
  await Promise.all([
    service.storage.tokens.insert(present({ claims, depth: ancestors.length, credential }), written),
    recordIssuance(service, claims, ancestors, by),
  ])
  const apiKey = credential === undefined || isAccount(credential) ? undefined : credential.api_key
  await endIfBlocked(service, claims.jti, { principal: claims.root_principal, subject: claims.sub, apiKey })
  // What was signed here need not be verified here, unless its key was taken away meanwhile. It is remembered as it was
  // written.
  const keys = verificationKeys(service.keys.ring(), 'tokens', service.now())
  if (keys.some(({ kid }) => kid === signer.kid)) service.tokens.remember(sha256Hex(token), written)
  return responseOf(claims, token)
}

function responseOf(claims: DelegationClaims, token: string): TokenResponse {
  const expires_at = timestamp(claims.exp * 1000)
  return present({
    issued: true as const,
    token_id: claims.jti,
    token,
    scope: claims.scope,
    capability: claims.capability,
    task_id: claims.purpose.task_id,
    budget: claims.constraints.budget,
    expires_at,
    expires: expires_at,
  })
}

/**
 * Returns the facts about a token that the audit trail records, beside those of every entry (decisions, section 10).
 */
const issuedOf = (claims: DelegationClaims, depth: number, { innerActors }: Buyer): IssuedToken =>
  present({
    subject: claims.sub,
    scope: claims.scope,
    budget: claims.constraints.budget,
    caller_class: claims.caller_class,
    depth,
    expires_at: timestamp(claims.exp * 1000),
    inner_actors: innerActors,
  })

const recordIssuance = (service: Service, claims: DelegationClaims, ancestors: readonly TokenRecord[], by: Buyer) =>
  service.record({
    // Written out: tokens are many, and spreading `EMPTY_ENTRY` in first takes a twentieth of the time of one.
    draft: {
      entry_type: 'token_issued',
      invocation_id: null,
      capability: claims.capability ?? null,
      actor_key: ancestors.at(-1)?.claims.sub ?? claims.root_principal,
      root_principal: claims.root_principal,
      event_class: 'low_risk_success',
      success: true,
      failure_type: null,
      client_reference_id: null,
      task_id: claims.purpose.task_id ?? null,
      parent_invocation_id: null,
      upstream_service: null,
      approval_request_id: null,
      approval_grant_id: null,
      token_id: claims.jti,
      delegation_chain: [...ancestors.map((each) => each.claims.jti), claims.jti],
      cost_actual: null,
      parameters: {},
      issued: issuedOf(claims, ancestors.length, by),
      ...(by.credential !== undefined && { credential: by.credential }),
      timestamp: timestamp(service.now()),
    },
  })
