import { isAccount } from '../../protocol/credential.js'
import type { Block } from '../../protocol/operator.js'
import { refuse } from '../errors/refusal.js'
import type { Service } from '../service.js'
import type { Blockable } from '../storage/contract.js'
import type { Known } from '../credentials/known.js'

/** Refuses a credential that an operator has blocked, whatever it is presented for (decisions, section 13). */
export async function assertNotBlocked(service: Service, { principal, credential }: Known): Promise<void> {
  const apiKey = credential === undefined || isAccount(credential) ? undefined : credential.api_key
  const block = await service.storage.operators.blockOf({ principal, apiKey })
  if (block !== undefined) refuseBlocked(block)
}

/**
 * Ends a token that was stored while its buyer was being blocked. Who blocks writes the block first and ends tokens
 * then; who buys stores the token first and looks for a block then: whichever way they meet, one sees the other.
 */
export async function endIfBlocked(service: Service, tokenId: string, who: Blockable): Promise<void> {
  const block = await service.storage.operators.blockOf(who)
  if (block === undefined) return
  await service.storage.tokens.revoke(tokenId, service.now())
  refuseBlocked(block)
}

const refuseBlocked = ({ block_id }: Block): never =>
  refuse('insufficient_authority', `An operator has blocked this credential (${block_id}).`, {
    requires: 'an operator who lifts the block',
  })
