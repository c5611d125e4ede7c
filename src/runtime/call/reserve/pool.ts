import type { Capability } from '../../../protocol/manifest.js'
import { minorUnits, type Money } from '../../../protocol/money.js'
import { refuse } from '../../errors/refusal.js'
import type { FinishedStep } from '../../storage/contract.js'

/** What the steps of a composition may spend together: one reservation, taken share by share (section 2.8). */
export interface Pool {
  readonly currency: string
  left: bigint
}

/** What is left of a ceiling after the steps that had ended before. */
export function poolOf(ceiling: Money, finished: readonly FinishedStep[] = []): Pool {
  const before = finished.flatMap(({ cost }) => (cost?.currency === ceiling.currency ? [minorUnits(cost) ?? 0n] : []))
  const left = before.reduce((rest, spent) => rest - spent, minorUnits(ceiling) ?? 0n)
  return { currency: ceiling.currency, left }
}

/** Takes a step's share; the step is refused when the whole would cost more than was checked. */
export function takeShare(pool: Pool | undefined, share: Money | undefined, { description }: Capability): void {
  if (pool === undefined || share === undefined) return
  const units = minorUnits(share)
  if (share.currency !== pool.currency)
    refuse(
      'budget_currency_mismatch',
      `The composition is paid in ${pool.currency}, a step in ${share.currency}: ${description}`,
    )
  if (units === undefined || units > pool.left)
    return refuse('budget_exceeded', 'The steps of the composition cost more together than was checked.')
  pool.left -= units
}
