import { minorUnits } from '../../../protocol/money.js'
import type { CapabilityView } from '../rule.js'

/** The amount that a budget check would look at, in minor units [4.6]; undefined if there is none to look at. */
export function checkedPriceOf({
  cost,
}: CapabilityView): { readonly currency: string; readonly units: bigint } | undefined {
  const financial = cost?.financial
  const amount =
    cost?.certainty === 'fixed' ? financial?.amount : cost?.certainty === 'dynamic' ? financial?.upper_bound : undefined
  if (financial?.currency === undefined || amount === undefined) return undefined
  const units = minorUnits({ currency: financial.currency, amount })
  return units === undefined ? undefined : { currency: financial.currency, units }
}
