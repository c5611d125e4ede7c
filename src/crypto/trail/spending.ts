/**
 * Spending under cumulative budgets, by the audit trail: each entry records its own charge or hold, so that no amount
 * is counted twice, though a composition and its steps each have an entry.
 */
import type { Json, JsonObject } from '../../protocol/manifest.js'
import { minorUnits } from '../../protocol/money.js'

export interface Spending {
  readonly currency: string
  /** Minor units; negative where somebody found out that less was spent than was kept. */
  readonly units: bigint
  /** Of the token that spent and of all above it, root first. */
  readonly tokens: readonly string[]
}

type Units = Omit<Spending, 'tokens'>

/** Returns the amount that an entry adds to the spending; undefined if it adds nothing. */
export function spendingOf(entry: JsonObject): Spending | undefined {
  const charged = unitsOf(spendingRecordIn(entry['cost_charged']))
  const held = unitsOf(spendingRecordIn(entry['cost_held']))
  const tokens = chainOf(entry)
  if (entry['entry_type'] !== 'operator_action') {
    const units = held ?? charged
    return units && { ...units, tokens }
  }
  // What somebody found out counts in place of what was kept, which the entry of the invocation said before.
  if (charged === undefined || held?.currency !== charged.currency) return undefined
  return { currency: charged.currency, units: charged.units - held.units, tokens }
}

/** A call that was refused has used nothing. */
export const mayHaveActed = ({ success, failure_type }: JsonObject): boolean =>
  success === true || failure_type === 'outcome_unknown'

/** The ids of the tokens of an entry, root first. */
export const chainOf = ({ delegation_chain: chain }: JsonObject): readonly string[] =>
  Array.isArray(chain) ? (chain as readonly Json[]).map(String) : []

/** The tokens that the entry of an operator's action says to have ended; none where it is about something else. */
export function endedTokensOf({ entry_type, operated }: JsonObject): readonly string[] {
  const { name, token_ids, target } = spendingRecordIn(entry_type === 'operator_action' ? operated : undefined)
  if (Array.isArray(token_ids)) return token_ids.filter((id) => typeof id === 'string')
  // Entries of before name the one that was meant.
  const { token_id } = spendingRecordIn(name === 'tokens_revoked' ? target : undefined)
  return typeof token_id === 'string' ? [token_id] : []
}

/** An amount of money as a member of an entry gives it. */
export function unitsOf({ currency, amount }: JsonObject): Units | undefined {
  if (typeof currency !== 'string' || typeof amount !== 'number') return undefined
  const units = minorUnits({ currency, amount })
  return units === undefined ? undefined : { currency, units }
}

export const spendingRecordIn = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
