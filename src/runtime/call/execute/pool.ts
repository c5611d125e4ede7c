import type { Capability } from '../../../protocol/manifest.js'
import { minorUnits, type Money } from '../../../protocol/money.js'
import { refuse } from '../../errors/refusal.js'

/** What the steps of a composition may spend together: one reservation, taken share by share (section 2.8). */
export interface Pool {
  readonly currency: string
  left: bigint
}

export const poolOf = (ceiling: Money | undefined): Pool | undefined =>
  ceiling === undefined ? undefined : { currency: ceiling.currency, left: minorUnits(ceiling) ?? 0n }

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
