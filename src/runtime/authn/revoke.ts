import type { RevocationResponse, TokenChain } from '../../protocol/token.js'
import type { Service } from '../service.js'
import { timestamp } from '../timestamp.js'
import { NOTHING } from './tampering.js'

/** Ends a token and, because chains are checked at use, all its descendants: one write, on the trail before it is answered. */
export async function revoke(service: Service, chain: TokenChain, actor: string): Promise<RevocationResponse> {
  const { claims } = chain.at(-1)!
  const now = service.now()
  const descendants = (await service.storage.tokens.revoke(claims.jti, now)) ?? 0
  service.revocations.count += 1
  await service.record({
    draft: {
      ...NOTHING,
      entry_type: 'token_revoked',
      actor_key: actor,
      root_principal: claims.root_principal,
      event_class: 'low_risk_success',
      success: true,
      token_id: claims.jti,
      delegation_chain: chain.map((link) => link.claims.jti),
      timestamp: timestamp(now),
    },
  })
  return { revoked: true, token_id: claims.jti, descendants }
}
