import { setTimeout as sleep } from 'node:timers/promises'
import type { ProvenBy } from '../../protocol/credential.js'
import type { RevocationResponse, TokenChain } from '../../protocol/token.js'
import type { Service } from '../service.js'
import { timestamp } from '../json/timestamp.js'
import { EMPTY_ENTRY } from '../../protocol/empty-entry.js'
import { tokenRevokedEvent } from '../events/event.js'
import { START_WITHIN_MS } from './token.js'
import { takeRepetitionPlace } from './token-rate.js'

/** Actor who revokes a token, and the credential used. */
interface Actor {
  readonly principal: string
  readonly credential?: ProvenBy | undefined
}

/**
 * Ends a token and, because chains are checked at use, all its descendants: one write, on the trail before it is
 * answered. Where other replicas serve, the answer waits until whatever they found standing before has started (threat
 * R05).
 */
export async function revoke(service: Service, chain: TokenChain, by: Actor): Promise<RevocationResponse> {
  const { claims, revoked_at } = chain.at(-1)!
  if (revoked_at !== undefined) await takeRepetitionPlace(service, claims.root_principal)
  const now = service.now()
  const descendants = (await service.storage.tokens.revoke(claims.jti, now, tokenRevokedEvent(service, claims))) ?? 0
  service.revocations.count += 1
  const started = service.storage.isShared ? sleep(START_WITHIN_MS) : undefined
  await service.record({
    draft: {
      ...EMPTY_ENTRY,
      entry_type: 'token_revoked',
      actor_key: by.principal,
      root_principal: claims.root_principal,
      event_class: 'low_risk_success',
      success: true,
      token_id: claims.jti,
      delegation_chain: chain.map((link) => link.claims.jti),
      timestamp: timestamp(now),
      ...(by.credential && { credential: by.credential }),
    },
  })
  await started
  return { revoked: true, token_id: claims.jti, descendants }
}
