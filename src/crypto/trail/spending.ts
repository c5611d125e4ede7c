/**
 * What the trail says was spent, entry by entry: each amount once, though a composition and its steps each have an
 * entry.
 */
import type { Json, JsonObject } from '../../protocol/manifest.js'
import { minorUnits } from '../../protocol/money.js'

export interface Spending {
  readonly currency: string
  /** Minor units. */
  readonly units: bigint
  /** Of the token that spent and of all above it, root first. */
  readonly tokens: readonly string[]
}

type Units = Omit<Spending, 'tokens'>

/**
 * Compositions that have a step on the trail and no entry of their own yet; callers may name parents that never come.
 */
const MOST_PARENTS = 100_000

/** Gives, of entries in the order of the trail, what each adds to what was spent; undefined where it adds nothing. */
export function spendings(): (entry: JsonObject) => Spending | undefined {
  /** Invocation -> what its steps cost, which its own cost holds, too; their entries come first. */
  const ofSteps = new Map<string, Units>()
  /** Invocation of unknown outcome -> what counts as spent by it and its steps. */
  const inDoubt = new Map<string, Units>()
  return (entry) => {
    if (entry['entry_type'] === 'operator_action') return resolvedSpending(inDoubt, entry)
    const { invocation_id, parent_invocation_id: parent, cost_actual, cost_exceeded } = entry
    const cost = unitsOf(spendingRecordIn(cost_actual))
    const steps = ofSteps.get(String(invocation_id))
    ofSteps.delete(String(invocation_id))
    noteDoubt(inDoubt, entry, cost ?? steps)
    // What a handler reported beyond the checked amount is flagged, and counts as far as it was allowed: not here.
    if (cost === undefined || cost_exceeded === true || !mayHaveActed(entry)) return undefined
    if (typeof parent === 'string') ofSteps.set(parent, sumOf(ofSteps.get(parent), cost))
    if (ofSteps.size > MOST_PARENTS) ofSteps.delete(ofSteps.keys().next().value!)
    const before = steps?.currency === cost.currency ? steps.units : 0n
    return { currency: cost.currency, units: cost.units - before, tokens: chainOf(entry) }
  }
}

function noteDoubt(
  inDoubt: Map<string, Units>,
  { invocation_id, failure_type, cost_exceeded }: JsonObject,
  spent: Units | undefined,
): void {
  if (failure_type !== 'outcome_unknown' || cost_exceeded === true) return
  inDoubt.set(String(invocation_id), spent ?? { currency: '', units: 0n })
  if (inDoubt.size > MOST_PARENTS) inDoubt.delete(inDoubt.keys().next().value!)
}

/**
 * What somebody who found out adds to what counted as spent, or takes from it, under the tokens that the entry names:
 * those of the budget hold that it settled. What exceeded that is flagged, and does not count here.
 */
function resolvedSpending(inDoubt: Map<string, Units>, entry: JsonObject): Spending | undefined {
  const { name, target, cost: said } = spendingRecordIn(entry['operated'])
  if (name !== 'invocation_resolved' || entry['cost_exceeded'] === true) return undefined
  const id = String(spendingRecordIn(target)['invocation_id'])
  const [cost, before] = [unitsOf(spendingRecordIn(said)), inDoubt.get(id)]
  inDoubt.delete(id)
  if (cost === undefined || before === undefined) return undefined
  if (before.units > 0n && before.currency !== cost.currency) return undefined
  return { currency: cost.currency, units: cost.units - before.units, tokens: chainOf(entry) }
}

/** A call that was refused has used nothing. */
export const mayHaveActed = ({ success, failure_type }: JsonObject): boolean =>
  success === true || failure_type === 'outcome_unknown'

/** The ids of the tokens of an entry, root first. */
export const chainOf = ({ delegation_chain: chain }: JsonObject): readonly string[] =>
  Array.isArray(chain) ? (chain as readonly Json[]).map(String) : []

const sumOf = (sum: Units | undefined, cost: Units): Units =>
  sum?.currency === cost.currency ? { ...sum, units: sum.units + cost.units } : cost

/** An amount of money as a member of an entry gives it. */
export function unitsOf({ currency, amount }: JsonObject): Units | undefined {
  if (typeof currency !== 'string' || typeof amount !== 'number') return undefined
  const units = minorUnits({ currency, amount })
  return units === undefined ? undefined : { currency, units }
}

export const spendingRecordIn = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
