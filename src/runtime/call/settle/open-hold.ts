import type { AuditDraft } from '../../../protocol/audit.js'
import type { Storage } from '../../storage/contract.js'

/** Hold under the budgets of an invocation's tokens until its outcome is known. */
export interface OpenHold {
  readonly units: bigint
  readonly ceilings: number
  readonly currency: string
}

/** The budget hold of an invocation that nobody has settled; undefined where it took none. */
export async function openHoldOf(
  { ledger, allowances }: Storage,
  { invocation_id, delegation_chain }: Pick<AuditDraft, 'invocation_id' | 'delegation_chain'>,
): Promise<OpenHold | undefined> {
  const held = await ledger.held(invocation_id!)
  if (held === undefined) return undefined
  const tokens = await allowances.tokens(delegation_chain)
  const currency = [...tokens.values()].find((token) => token.currency !== undefined)?.currency
  return currency === undefined ? undefined : { ...held, currency }
}
