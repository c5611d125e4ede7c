import { isRecord } from '../../crypto/json/kinds.js'
import type { Json, JsonObject } from '../../protocol/manifest.js'
import { itemsOf, memberChange, same, type Comparison } from './difference.js'

const WEAKER = 'SVC9215'
const STRONGER = 'SVC9216'
const OTHER = 'SVC9217'

/** Compares the conditions under which an approval is needed (section 2.12). */
export const requirementChange: Comparison = memberChange('required', requirementKind)

function requirementKind(before: Json | undefined, after: Json | undefined): string {
  if (before === 'always') return WEAKER
  if (after === 'always') return STRONGER
  const [was, is] = [conditionsIn(before), conditionsIn(after)]
  return was === undefined || is === undefined ? OTHER : conditionsKind(was, is)
}

/** All of the conditions must be met; undefined where the handler decides. */
const conditionsIn = (required: Json | undefined): readonly JsonObject[] | undefined =>
  isRecord(required) ? itemsOf(required['when']).filter(isRecord) : undefined

/** One condition more asks for less approval, one less for more. */
function conditionsKind(was: readonly JsonObject[], is: readonly JsonObject[]): string {
  const gone = was.filter((each) => !is.some((other) => same(each, other)))
  const come = is.filter((each) => !was.some((other) => same(each, other)))
  const pairs = gone.flatMap((each) =>
    come
      .filter((other) => subjectOf(other) === subjectOf(each))
      .slice(0, 1)
      .map((other) => [each, other] as const),
  )
  if (pairs.length !== gone.length || pairs.length !== come.length)
    return gone.length === 0 ? WEAKER : come.length === 0 ? STRONGER : OTHER
  const kinds = new Set(pairs.map(([each, other]) => comparisonKind(each, other)))
  return kinds.size === 1 ? [...kinds][0]! : OTHER
}

/** Returns the subject of a condition: an input or the cost, with the comparison. */
const subjectOf = (condition: JsonObject): string => {
  const { subject, comparison } = partsOf(condition)
  return `${subject} ${comparison}`
}

interface Parts {
  readonly subject: string
  readonly comparison: string
  readonly value: Json | undefined
}

/** `{ input: amount, above: 5 }`, or `{ cost: { above: 5 } }`. */
function partsOf({ input, cost, ...rest }: JsonObject): Parts {
  const [comparison = '', value] = Object.entries(isRecord(cost) ? cost : rest)[0] ?? []
  return { subject: isRecord(cost) ? 'the cost' : String(input), comparison, value }
}

const compared = (one: Json | undefined, other: Json | undefined): number => Number(other) - Number(one)

/** A higher threshold lets more pass below it; a list lets pass what is not in it. */
function comparisonKind(before: JsonObject, after: JsonObject): string {
  const { comparison, value } = partsOf(before)
  const { value: now } = partsOf(after)
  const rise = compared(value, now)
  if ((comparison === 'above' || comparison === 'at_least') && Number.isFinite(rise))
    return rise > 0 ? WEAKER : STRONGER
  if ((comparison === 'below' || comparison === 'at_most') && Number.isFinite(rise)) return rise < 0 ? WEAKER : STRONGER
  if (comparison !== 'in') return OTHER
  const [was, is] = [itemsOf(value), itemsOf(now)]
  const holds = (list: readonly Json[], item: Json): boolean => list.some((each) => same(each, item))
  if (is.every((item) => holds(was, item))) return WEAKER
  return was.every((item) => holds(is, item)) ? STRONGER : OTHER
}
