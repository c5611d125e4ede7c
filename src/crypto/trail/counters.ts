/**
 * What the trail says of allowances, whatever counters in a database say: a one-time grant is used once, a cumulative
 * budget is not exceeded, and nothing is done by a token after its revocation (security, N08).
 */
import type { JsonObject, Json } from '../../protocol/manifest.js'
import { minorUnits, type Money } from '../../protocol/money.js'

export interface Counters {
  /**
   * Notes an entry, in the order of the trail; a full sentence when it shows that an allowance was used beyond its end.
   */
  note(entry: JsonObject): string | undefined
}

/** What had begun when a token was revoked may end so much later. */
const UNDER_WAY_MS = 15 * 60_000

interface Budget {
  readonly currency: string
  readonly limit: bigint
  spent: bigint
}

interface Units {
  readonly currency: string
  readonly units: bigint
}

interface Noted {
  readonly oneTime: Set<string>
  /** Grant and capability of each use: a composition and its step have one grant, and an entry each. */
  readonly used: Set<string>
  readonly budgets: Map<string, Budget>
  /** Invocation -> what its steps cost, which its own cost holds, too; their entries come first. */
  readonly ofSteps: Map<string, Units>
  /** Token -> ms since the epoch. */
  readonly revoked: Map<string, number>
}

export function counters(): Counters {
  const noted: Noted = {
    oneTime: new Set(),
    used: new Set(),
    budgets: new Map(),
    ofSteps: new Map(),
    revoked: new Map(),
  }
  return { note: (entry) => noteOf(entry['entry_type'])?.(noted, entry) }
}

const noteOf = (type: Json | undefined): Note | undefined =>
  typeof type === 'string' && Object.hasOwn(NOTES, type) ? NOTES[type] : undefined

type Note = (noted: Noted, entry: JsonObject) => string | undefined

const NOTES: { readonly [entryType: string]: Note } = {
  token_issued: ({ budgets }, { token_id, issued }) => {
    const budget = recordIn(recordIn(issued)['budget'])
    const limit =
      budget['mode'] === 'cumulative' ? unitsOf({ ...budget, amount: budget['max_amount'] ?? null }) : undefined
    if (limit !== undefined) budgets.set(String(token_id), { currency: String(budget['currency']), limit, spent: 0n })
    return undefined
  },
  token_revoked: ({ revoked }, { token_id, timestamp }) => {
    const id = String(token_id)
    if (!revoked.has(id)) revoked.set(id, Date.parse(String(timestamp)))
    return undefined
  },
  approval_granted: ({ oneTime }, { approval, approval_grant_id }) => {
    if (recordIn(approval)['grant_type'] === 'one_time') oneTime.add(String(approval_grant_id))
    return undefined
  },
  invocation: (noted, entry) =>
    mayHaveActed(entry)
      ? (usedTwice(noted, entry) ?? afterRevocation(noted, entry) ?? overspent(noted, entry))
      : undefined,
}

/** A call that was refused has used nothing. */
const mayHaveActed = ({ success, failure_type }: JsonObject): boolean =>
  success === true || failure_type === 'outcome_unknown'

function usedTwice({ oneTime, used }: Noted, { approval_grant_id: grant, capability }: JsonObject): string | undefined {
  if (typeof grant !== 'string' || !oneTime.has(grant)) return undefined
  const use = `${grant} ${String(capability)}`
  if (used.has(use)) return `the one-time grant ${grant} was used again`
  used.add(use)
  return undefined
}

function afterRevocation({ revoked }: Noted, entry: JsonObject): string | undefined {
  const token = chainOf(entry).find((id) => revoked.has(id))
  if (token === undefined) return undefined
  const time = revoked.get(token)!
  if (!(Date.parse(String(entry['timestamp'])) > time + UNDER_WAY_MS)) return undefined
  return `the token ${token} had been revoked at ${new Date(time).toISOString()}`
}

/** What a handler reported beyond the checked amount is flagged, and counts as far as it was allowed: not here. */
function overspent({ budgets, ofSteps }: Noted, entry: JsonObject): string | undefined {
  const { invocation_id, parent_invocation_id: parent, cost_actual, cost_exceeded } = entry
  const units = unitsOf(recordIn(cost_actual))
  if (units === undefined || cost_exceeded === true) return undefined
  const { currency } = cost_actual as unknown as Money
  const steps = ofSteps.get(String(invocation_id))
  ofSteps.delete(String(invocation_id))
  if (typeof parent === 'string') ofSteps.set(parent, sumOf(ofSteps.get(parent), { currency, units }))
  for (const token of chainOf(entry)) {
    const budget = budgets.get(token)
    if (budget?.currency !== currency) continue
    budget.spent += units - (steps?.currency === currency ? steps.units : 0n)
    if (budget.spent > budget.limit) return `the cumulative budget of the token ${token} was exceeded`
  }
  return undefined
}

const sumOf = (sum: Units | undefined, cost: Units): Units =>
  sum?.currency === cost.currency ? { ...sum, units: sum.units + cost.units } : cost

const chainOf = ({ delegation_chain: chain }: JsonObject): readonly string[] =>
  Array.isArray(chain) ? (chain as readonly Json[]).map(String) : []

function unitsOf({ currency, amount }: JsonObject): bigint | undefined {
  if (typeof currency !== 'string' || typeof amount !== 'number') return undefined
  return minorUnits({ currency, amount })
}

const recordIn = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
