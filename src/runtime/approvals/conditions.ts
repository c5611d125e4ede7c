import { durationMs } from '../../protocol/durations.js'
import { isDateTime } from '../../protocol/type-values.js'
import { sameJson } from '../json/same-json.js'
import type {
  ApprovalCondition,
  ApprovalRequirement,
  Capability,
  CostCondition,
  InputCondition,
  Json,
  JsonObject,
} from '../../protocol/manifest.js'
import { minorUnits, type Money } from '../../protocol/money.js'
import {
  APPROVAL_COMPARISONS,
  COST_COMPARISONS,
  type ApprovalComparison,
  type CostComparison,
} from '../../protocol/words.js'

type Comparison = (value: Json, bound: Json) => boolean

/**
 * Returns the rank of a value: numbers by size, durations by length, times by instant, other texts (dates, for one)
 * by code unit.
 */
function rankOf(value: Json): number | string | undefined {
  if (typeof value !== 'string') return typeof value === 'number' ? value : undefined
  return durationMs(value) ?? (isDateTime(value) ? Date.parse(value.toUpperCase()) : value)
}

type Order = (left: number | string, right: number | string) => boolean

/**
 * Compares where both values stand; values that have no common order meet the condition, so that somebody looks at
 * them.
 */
const compared =
  (order: Order): Comparison =>
  (value, bound) => {
    const [left, right] = [rankOf(value), rankOf(bound)]
    if (left === undefined || typeof left !== typeof right) return true
    return Number.isNaN(left) || order(left, right!)
  }

// prettier-ignore
const HOLDS: { readonly [comparison in ApprovalComparison]: Comparison } = {
  equals:     (value, bound) => sameJson(value, bound),
  not_equals: (value, bound) => !sameJson(value, bound),
  in:         (value, bound) => Array.isArray(bound) && bound.some((each) => sameJson(value, each)),
  above:      compared((left, right) => left > right),
  at_least:   compared((left, right) => left >= right),
  below:      compared((left, right) => left < right),
  at_most:    compared((left, right) => left <= right),
}

/**
 * Holds when every comparison of a condition holds for the resolved inputs; one whose value was left out holds, so that
 * somebody looks at the call.
 */
const holdsForInput = (condition: InputCondition, inputs: JsonObject): boolean =>
  APPROVAL_COMPARISONS.every((comparison) => {
    const bound = condition[comparison]
    const value = Object.hasOwn(inputs, condition.input) ? inputs[condition.input] : undefined
    return bound === undefined || value === undefined || HOLDS[comparison](value, bound)
  })

const COST_HOLDS: { readonly [comparison in CostComparison]: (units: bigint, bound: bigint) => boolean } = {
  above: (units, bound) => units > bound,
  at_least: (units, bound) => units >= bound,
}

/**
 * Compares in minor units; an unknown cost, or one that cannot be compared, meets every condition (decisions, section
 * 10).
 */
const holdsForCost = (condition: CostCondition, cost: Money | undefined): boolean =>
  COST_COMPARISONS.every((comparison) => {
    const bound = condition[comparison]
    if (bound === undefined || cost === undefined) return true
    const [units, least] = [minorUnits(cost), minorUnits({ currency: cost.currency, amount: bound })]
    return units === undefined || least === undefined || COST_HOLDS[comparison](units, least)
  })

const holds = (condition: ApprovalCondition, inputs: JsonObject, cost: Money | undefined): boolean =>
  condition.cost === undefined ? holdsForInput(condition, inputs) : holdsForCost(condition.cost, cost)

/**
 * Holds when the manifest asks for an approval of these inputs at this cost, which is in the currency of the
 * declaration, or unknown; a handler that decides itself is asked later.
 */
export function isApprovalNeeded(
  approval: ApprovalRequirement | undefined,
  inputs: JsonObject,
  cost: Money | undefined,
): boolean {
  if (approval === undefined || approval.required === 'handler') return false
  return approval.required === 'always' || approval.required.when.every((condition) => holds(condition, inputs, cost))
}

/** True where a grant counts: an approval is needed, or only the handler or a step will know whether one is. */
export const countsGrant = ({ approval, composition }: Capability, needed: boolean): boolean =>
  needed || approval?.required === 'handler' || composition !== undefined
