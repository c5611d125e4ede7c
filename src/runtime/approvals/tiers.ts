/** Number of approvers and their scope, by the cost of a call (decisions, section 10: Quorum and tiers). */
import type { ApprovalRequirement, ApprovalTier } from '../../protocol/manifest.js'
import { minorUnits, type Money } from '../../protocol/money.js'
import type { StoredRequest } from '../storage/contract.js'

/** Approval requirements of a request, beyond one approval by an ordinary approver. */
export type Needs = Pick<StoredRequest, 'approvals_needed' | 'approver_scope' | 'compared_cost'>

/** Returns the approval requirements at a checked cost, which is in the declared currency, or unknown. */
export function needsOf({ approvers = 1, tiers = [] }: ApprovalRequirement, cost: Money | undefined): Needs {
  const tier = tierOf(tiers, cost)
  return {
    ...(approvers > 1 && { approvals_needed: approvers }),
    ...(tier !== undefined && { approver_scope: tier.approver_scope }),
    ...(cost !== undefined && { compared_cost: cost }),
  }
}

/** The highest that the cost exceeds; the highest of all where the cost is unknown or cannot be compared. */
const tierOf = (tiers: readonly ApprovalTier[], cost: Money | undefined): ApprovalTier | undefined =>
  tiers
    .filter((tier) => exceeds(cost, tier.cost_above))
    .reduce<ApprovalTier | undefined>(
      (high, each) => (high && high.cost_above > each.cost_above ? high : each),
      undefined,
    )

function exceeds(cost: Money | undefined, amount: number): boolean {
  if (cost === undefined) return true
  const [units, bound] = [minorUnits(cost), minorUnits({ currency: cost.currency, amount })]
  return units === undefined || bound === undefined || units > bound
}

/**
 * Holds where a call would cost more than what its approval was asked for at: that was for other people to decide. Who
 * decided about an unknown cost decided about any.
 */
export function costsMore(
  { tiers = [] }: Pick<ApprovalRequirement, 'tiers'>,
  { approver_scope, compared_cost }: Pick<StoredRequest, 'approver_scope' | 'compared_cost'>,
  cost: Money | undefined,
): boolean {
  if (tiers.length === 0 && compared_cost === undefined) return false
  if (compared_cost === undefined) return approver_scope === undefined
  if (cost === undefined || cost.currency !== compared_cost.currency) return true
  const [units, most] = [minorUnits(cost), minorUnits(compared_cost)]
  return units === undefined || most === undefined || units > most
}
