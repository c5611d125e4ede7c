import { isRecord } from '../../crypto/json/kinds.js'
import type { Json, JsonObject } from '../../protocol/manifest.js'
import {
  all,
  anyChange,
  breakingAndWeakened,
  compatible,
  differing,
  itemsOf,
  memberChange,
  same,
  valueOf,
  within,
  type Comparison,
  type Difference,
} from './difference.js'

const FINANCIAL = ['cost', 'financial']
const AMOUNT_INPUT = 'x-amount-input'

/** Compares the cost of a call and the amount checked against a budget (section 2.7). */
export const cost =
  (name: string, inside: Comparison): Comparison =>
  (before, after) => [
    ...amounts(before, after),
    ...within([name], inside(recordOf(before[name]), recordOf(after[name]))),
  ]

const recordOf = (value: Json | undefined): JsonObject => (isRecord(value) ? value : {})

const amounts: Comparison = (before, after) => {
  const [was, is] = [valueOf(before, FINANCIAL), valueOf(after, FINANCIAL)]
  if (!isRecord(was) || !isRecord(is)) return was === is ? withoutMoney(before, after) : []
  if (!same(was['currency'], is['currency'])) return ofTwoCurrencies(before, after)
  return isSameCertainty(before, after) ? ofOneCertainty(before, after) : ofTwoCertainties(before, after)
}

const AMOUNTS = ['amount', 'upper_bound', 'range_min', 'range_max']

/** Nobody can say which of two amounts is the higher one. */
const ofTwoCurrencies: Comparison = all(AMOUNTS.map((name) => anyChange(`cost.financial.${name}`, 'SVC9085')))

/** No amount is checked before or after. */
const withoutMoney: Comparison = memberChange('cost.certainty', (was, is) =>
  was === undefined || is === undefined ? undefined : compatible('SVC9207'),
)

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
  all([higherOrLower('cost.financial.amount'), higherOrLower('cost.financial.upper_bound'), range])(before, after)

const range: Comparison = (before, after) => {
  const bounds = (capability: JsonObject) => ({
    least: numberOr(valueOf(capability, [...FINANCIAL, 'range_min']), 0),
    most: numberOr(valueOf(capability, [...FINANCIAL, 'range_max']), Number.POSITIVE_INFINITY),
  })
  const [was, is] = [bounds(before), bounds(after)]
  const narrowed = is.most < was.most ? 'SVC9090' : compatible('SVC9090')
  const code = is.most > was.most ? 'SVC9083' : is.least >= was.least ? narrowed : 'SVC9084'
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
    if (certaintyOf(before) === 'estimated') return certainty === 'fixed' ? 'SVC9087' : 'SVC9207'
    const code = certainty === 'fixed' ? 'SVC9087' : 'SVC9088'
    return is === was ? compatible(code) : code
  })(before, after).map((each) => ({ ...each, says: `was ${moneyOf(before)} and is ${moneyOf(after)}` }))
}

/** With its amounts: what was accepted is this change, not another one of the same certainties. */
const moneyOf = (capability: JsonObject): string => {
  const amounts = AMOUNTS.flatMap((name) => {
    const value = valueOf(capability, [...FINANCIAL, name])
    return value === undefined ? [] : [`${name} ${JSON.stringify(value)}`]
  })
  return [certaintyOf(capability), ...amounts].join(', ')
}

/** The input whose value is the checked amount; `false` says that none is. */
export const amountInputChange: Comparison = (before, after): readonly Difference[] => {
  const path = [AMOUNT_INPUT]
  const named = (capability: JsonObject) => {
    const value = valueOf(capability, path)
    return typeof value === 'string' ? value : undefined
  }
  return differing(path, named(before), named(after), (was, now) =>
    now === undefined ? 'SVC9208' : was === undefined ? 'SVC9209' : breakingAndWeakened('SVC9209'),
  )
}
