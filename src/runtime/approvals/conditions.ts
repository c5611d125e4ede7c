import { sameJson } from '../same-json.js'
import type { ApprovalCondition, ApprovalRequirement, Json, JsonObject } from '../../protocol/manifest.js'
import { APPROVAL_COMPARISONS, type ApprovalComparison } from '../../protocol/words.js'

type Comparison = (value: Json | undefined, bound: Json) => boolean

/** Numbers by size, texts (dates, for one) by code unit; nothing else has an order. */
function isBelow(left: Json | undefined, right: Json): boolean {
  if (typeof left === 'number' && typeof right === 'number') return left < right
  return typeof left === 'string' && typeof right === 'string' && left < right
}

const isAbove = (left: Json | undefined, right: Json): boolean => left !== undefined && isBelow(right, left)

// prettier-ignore
const HOLDS: { readonly [comparison in ApprovalComparison]: Comparison } = {
  equals:     (value, bound) => sameJson(value, bound),
  not_equals: (value, bound) => !sameJson(value, bound),
  in:         (value, bound) => Array.isArray(bound) && bound.some((each) => sameJson(value, each)),
  above:      isAbove,
  at_least:   (value, bound) => isAbove(value, bound) || sameJson(value, bound),
  below:      isBelow,
  at_most:    (value, bound) => isBelow(value, bound) || sameJson(value, bound),
}

/** Holds when every comparison of a condition holds for the resolved inputs. */
const holds = (condition: ApprovalCondition, inputs: JsonObject): boolean =>
  APPROVAL_COMPARISONS.every((comparison) => {
    const bound = condition[comparison]
    const value = Object.hasOwn(inputs, condition.input) ? inputs[condition.input] : undefined
    return bound === undefined || HOLDS[comparison](value, bound)
  })

/** Holds when the manifest asks for an approval of these inputs; a handler that decides itself is asked later. */
export function isApprovalNeeded(approval: ApprovalRequirement | undefined, inputs: JsonObject): boolean {
  if (approval === undefined || approval.required === 'handler') return false
  return approval.required === 'always' || approval.required.when.every((condition) => holds(condition, inputs))
}
