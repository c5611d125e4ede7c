import { fromMinorUnits, minorUnits, type Money } from '../../../protocol/money.js'
import { refuse } from '../../errors/refusal.js'
import type { FinishedStep } from '../../storage/contract.js'

/** Limit of the steps: the token's budget, the declared cost, or the input with the caller's maximum. */
export type Bound = 'budget' | 'cost' | { readonly input: string }

/** Amount that the steps of a composition may spend together: one reservation, taken share by share (section 2.8). */
export interface Pool {
  readonly currency: string
  readonly bound: Bound
  readonly most: Money
  left: bigint
}

/** The step that takes a share. */
interface Taker {
  readonly id: string
  readonly description: string
}

/** Returns a pool: the ceiling less the cost of finished steps. */
export function poolOf(ceiling: Money, bound: Bound, finished: readonly FinishedStep[] = []): Pool {
  const before = finished.flatMap(({ cost }) => (cost?.currency === ceiling.currency ? [minorUnits(cost) ?? 0n] : []))
  const left = before.reduce((rest, spent) => rest - spent, minorUnits(ceiling) ?? 0n)
  return { currency: ceiling.currency, bound, most: ceiling, left }
}

/** Takes a step's share; the step is refused when the whole would cost more than was checked. */
export function takeShare(pool: Pool | undefined, share: Money | undefined, taker: Taker): void {
  const units = unitsWithin(pool, share, taker)
  if (pool !== undefined) pool.left -= units
}

/** Takes a share from the pool; refuses one that exceeds the rest. */
export function unitsWithin(pool: Pool | undefined, share: Money | undefined, { id, description }: Taker): bigint {
  if (pool === undefined || share === undefined) return 0n
  const units = minorUnits(share)
  if (share.currency !== pool.currency)
    refuse(
      'budget_currency_mismatch',
      `The composition is paid in ${pool.currency}, a step in ${share.currency}: ${description}`,
    )
  if (units === undefined || units > pool.left) return refuseShare(pool, share, id)
  return units
}

/** A larger budget helps only where the budget is the bound; an input that is too low is not valid. */
function refuseShare({ bound, most, currency, left }: Pool, share: Money, id: string): never {
  const room = fromMinorUnits(left < 0n ? 0n : left, currency)
  const costs = `The step ${id} costs ${inWords(share)}`
  const rest = room.amount === most.amount ? '' : `, of which ${inWords(room)} are left`
  if (bound === 'budget') return refuse('budget_exceeded', `${costs}; the budget is ${inWords(most)}${rest}.`)
  if (bound === 'cost') {
    const detail = `${costs}; the composition declares ${inWords(most)} for all its steps${rest}. A larger budget does not help.`
    return refuse('budget_exceeded', detail)
  }
  const detail = `Not valid: ${bound.input} is ${inWords(most)} for all steps${rest}. ${costs}.`
  return refuse('invalid_parameters', detail, { requires: bound.input })
}

const inWords = ({ amount, currency }: Money): string => `${amount} ${currency}`
