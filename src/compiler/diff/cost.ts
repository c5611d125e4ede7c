import { isRecord } from '../../crypto/json/kinds.js'
import type { Json, JsonObject } from '../../protocol/manifest.js'
import {
  all,
  anyChange,
  differing,
  itemsOf,
  memberChange,
  presence,
  valueOf,
  type Comparison,
  type Difference,
} from './difference.js'

const FINANCIAL = ['cost', 'financial']
const AMOUNT_INPUT = 'x-amount-input'

/** What a call costs, and what of it a budget is compared with (section 2.7). */
export const cost: Comparison = (before, after) => [
  ...financial(before, after),
  ...anyChange('cost.determined_by', 'SVC9089')(before, after),
  ...anyChange('cost.compute', 'SVC9206')(before, after),
]

const financial: Comparison = (before, after) => {
  const [was, is] = [valueOf(before, FINANCIAL), valueOf(after, FINANCIAL)]
  if (!isRecord(was) || !isRecord(is))
    return memberChange('cost.financial', presence({ added: 'SVC9081', removed: 'SVC9082' }))(before, after)
  const currency = anyChange('cost.financial.currency', 'SVC9085')(before, after)
  const amounts = isSameCertainty(before, after) ? ofOneCertainty : ofTwoCertainties
  return [
    ...currency,
    // Amounts of two currencies are not compared.
    ...(currency.length > 0 ? [] : amounts(before, after)),
    ...anyChange('cost.financial.typical', 'SVC9206')(before, after),
    ...amountInput(before, after),
  ]
}

const certaintyOf = (capability: JsonObject): string => String(valueOf(capability, ['cost', 'certainty']))
const isSameCertainty = (before: JsonObject, after: JsonObject): boolean => certaintyOf(before) === certaintyOf(after)

/** The amount that is checked, or may be asked for at most: certainty -> member. */
const HIGHEST: { readonly [certainty: string]: string } = {
  fixed: 'amount',
  dynamic: 'upper_bound',
  estimated: 'range_max',
}

const highestIn = (capability: JsonObject): number | undefined => {
  const value = valueOf(capability, [...FINANCIAL, HIGHEST[certaintyOf(capability)] ?? ''])
  return typeof value === 'number' ? value : undefined
}

/** Absent, there is no highest amount. */
const numberOr = (value: Json | undefined, absent: number): number => (typeof value === 'number' ? value : absent)

const higherOrLower = (path: string): Comparison =>
  memberChange(path, (before, after) =>
    numberOr(after, Number.POSITIVE_INFINITY) > numberOr(before, Number.POSITIVE_INFINITY) ? 'SVC9083' : 'SVC9084',
  )

const ofOneCertainty: Comparison = (before, after) =>
  certaintyOf(after) === 'estimated'
    ? range(before, after)
    : all([higherOrLower('cost.financial.amount'), higherOrLower('cost.financial.upper_bound')])(before, after)

const range: Comparison = (before, after) => {
  const bounds = (capability: JsonObject) => ({
    least: numberOr(valueOf(capability, [...FINANCIAL, 'range_min']), 0),
    most: numberOr(valueOf(capability, [...FINANCIAL, 'range_max']), Number.POSITIVE_INFINITY),
  })
  const [was, is] = [bounds(before), bounds(after)]
  const code = is.most > was.most ? 'SVC9083' : is.least >= was.least ? 'SVC9090' : 'SVC9084'
  return [
    ...differing([...FINANCIAL, 'range_max'], was.most, is.most, () => code),
    ...(was.most === is.most ? differing([...FINANCIAL, 'range_min'], was.least, is.least, () => code) : []),
  ].map((each) => ({ ...each, says: `was ${spelt(was)} and is ${spelt(is)}` }))
}

const spelt = ({ least, most }: { readonly least: number; readonly most: number }): string =>
  Number.isFinite(most) ? `${least} to ${most}` : `${least} or more`

const ofTwoCertainties: Comparison = (before, after) => {
  const [was, is] = [highestIn(before) ?? Number.POSITIVE_INFINITY, highestIn(after) ?? Number.POSITIVE_INFINITY]
  return memberChange('cost.certainty', (_, certainty) => {
    if (certainty === 'estimated') return itemsOf(after['requires_binding']).length > 0 ? 'SVC9207' : 'SVC9086'
    if (is > was) return 'SVC9083'
    return certainty === 'fixed' ? 'SVC9087' : certaintyOf(before) === 'fixed' ? 'SVC9088' : 'SVC9207'
  })(before, after)
}

/** The input whose value is the checked amount; `false` says that none is. */
const amountInput: Comparison = (before, after): readonly Difference[] => {
  const path = [...FINANCIAL, AMOUNT_INPUT]
  const named = (capability: JsonObject) => {
    const value = valueOf(capability, path)
    return typeof value === 'string' ? value : undefined
  }
  return differing(path, named(before), named(after), (_, now) => (now === undefined ? 'SVC9208' : 'SVC9209'))
}
