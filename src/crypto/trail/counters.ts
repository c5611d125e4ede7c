/**
 * Check of allowances against the audit trail, independent of counters in a database: a grant is used only as often
 * as it allows, a cumulative budget is not exceeded, and a token does nothing after its revocation (security, N08).
 */
import type { JsonObject, Json } from '../../protocol/manifest.js'
import { chainOf, endedTokensOf, mayHaveActed, spendingRecordIn, spendingOf, unitsOf } from './spending.js'

export interface Counters {
  /**
   * Notes an entry, in the order of the trail; a full sentence when it shows that an allowance was used beyond its end.
   */
  note(entry: JsonObject): string | undefined
}

/** Time for which calls that began before a revocation may still end. */
const UNDER_WAY_MS = 15 * 60_000

interface Budget {
  readonly currency: string
  readonly limit: bigint
  spent: bigint
}

interface Grant {
  /**
   * Capability that it allows: a step of a composition runs under the grant of the composition, and does not use it.
   */
  readonly capability: Json
  readonly most: number
  uses: number
}

interface Noted {
  readonly grants: Map<string, Grant>
  readonly budgets: Map<string, Budget>
  /** Token -> ms since the epoch. */
  readonly revoked: Map<string, number>
}

export function counters(): Counters {
  const noted: Noted = { grants: new Map(), budgets: new Map(), revoked: new Map() }
  return { note: (entry) => noteOf(entry['entry_type'])?.(noted, entry) }
}

const noteOf = (type: Json | undefined): Note | undefined =>
  typeof type === 'string' && Object.hasOwn(NOTES, type) ? NOTES[type] : undefined

type Note = (noted: Noted, entry: JsonObject) => string | undefined

function revoke({ revoked }: Noted, entry: JsonObject, ids: readonly string[]): undefined {
  const time = Date.parse(String(entry['timestamp']))
  for (const id of ids) if (!revoked.has(id)) revoked.set(id, time)
}

const revokeOne: Note = (noted, entry) => revoke(noted, entry, [String(entry['token_id'])])

const NOTES: { readonly [entryType: string]: Note } = {
  token_issued: ({ budgets }, { token_id, issued }) => {
    const budget = spendingRecordIn(spendingRecordIn(issued)['budget'])
    const limit =
      budget['mode'] === 'cumulative' ? unitsOf({ ...budget, amount: budget['max_amount'] ?? null }) : undefined
    if (limit !== undefined) budgets.set(String(token_id), { currency: limit.currency, limit: limit.units, spent: 0n })
    return undefined
  },
  token_revoked: revokeOne,
  // A token whose counters were set back ends with that.
  integrity_failure: (noted, entry) =>
    entry['failure_type'] === 'token_revoked' ? revokeOne(noted, entry) : undefined,
  approval_granted: ({ grants }, { approval, approval_grant_id, capability = null }) => {
    const most = usesAllowed(spendingRecordIn(approval))
    if (most !== undefined) grants.set(String(approval_grant_id), { capability, most, uses: 0 })
    return undefined
  },
  operator_action: (noted, entry) => {
    revoke(noted, entry, endedTokensOf(entry))
    return overspent(noted, entry)
  },
  invocation: (noted, entry) => {
    const spent = overspent(noted, entry)
    return mayHaveActed(entry) ? (usedAgain(noted, entry) ?? afterRevocation(noted, entry) ?? spent) : spent
  },
}

/** Undefined where an older entry does not say it. */
function usesAllowed({ grant_type, max_uses }: JsonObject): number | undefined {
  if (grant_type === 'one_time') return 1
  return typeof max_uses === 'number' ? max_uses : undefined
}

function usedAgain({ grants }: Noted, { approval_grant_id: id, capability }: JsonObject): string | undefined {
  const grant = grants.get(String(id))
  if (grant === undefined || grant.capability !== capability) return undefined
  grant.uses++
  if (grant.uses <= grant.most) return undefined
  return grant.most === 1
    ? `the one-time grant ${String(id)} was used again`
    : `the grant ${String(id)} was used more than ${grant.most} times`
}

function afterRevocation({ revoked }: Noted, entry: JsonObject): string | undefined {
  const token = chainOf(entry).find((id) => revoked.has(id))
  if (token === undefined) return undefined
  const time = revoked.get(token)!
  if (!(Date.parse(String(entry['timestamp'])) > time + UNDER_WAY_MS)) return undefined
  return `the token ${token} had been revoked at ${new Date(time).toISOString()}`
}

function overspent({ budgets }: Noted, entry: JsonObject): string | undefined {
  const spending = spendingOf(entry)
  if (spending === undefined) return undefined
  for (const token of spending.tokens) {
    const budget = budgets.get(token)
    if (budget?.currency !== spending.currency) continue
    budget.spent += spending.units - excessOf(entry)
    if (budget.spent > budget.limit) return `the cumulative budget of the token ${token} was exceeded`
  }
  return undefined
}

/** Returns the reported cost beyond the hold, which is flagged on its entry: no budget could prevent it. */
function excessOf(entry: JsonObject): bigint {
  const charged = unitsOf(spendingRecordIn(entry['cost_charged']))
  const most = unitsOf(spendingRecordIn(entry['cost_checked'] ?? entry['cost_held']))
  if (entry['cost_exceeded'] !== true || charged === undefined || most?.currency !== charged.currency) return 0n
  return charged.units > most.units ? charged.units - most.units : 0n
}
