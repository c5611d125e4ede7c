import { fromMinorUnits, minorUnits, type Money } from '../../protocol/money.js'
import type { DelegationClaims } from '../../protocol/token.js'
import { refuse } from '../refusal.js'
import type { Service } from '../service.js'
import type { Ceiling } from '../storage/contract.js'
import type { Invocation, SoFar } from './invocation.js'

/** The cumulative ceilings of a token's chain, root first. */
const ceilingsOf = ({ token: { chain } }: Invocation): readonly Ceiling[] =>
  chain.flatMap(({ claims }) => ceilingOf(claims))

function ceilingOf({ jti, constraints: { budget } }: DelegationClaims): readonly Ceiling[] {
  if (budget?.mode !== 'cumulative') return []
  return [{ tokenId: jti, maxUnits: minorUnits({ currency: budget.currency, amount: budget.max_amount }) ?? 0n }]
}

/** The id under which an amount will be held, when there is something to hold. */
export const holdIdOf = (invocation: Invocation): string | undefined =>
  invocation.soFar.checked !== undefined && ceilingsOf(invocation).length > 0 ? invocation.id : undefined

/** Reserves the checked amount under every cumulative ceiling of the chain, or under none. */
export async function holdAmount(service: Service, invocation: Invocation): Promise<void> {
  const { id, soFar } = invocation
  const ceilings = ceilingsOf(invocation)
  const tightest = ceilings.at(-1)
  if (tightest === undefined || soFar.checked === undefined) return
  const { currency } = soFar.checked
  const units = leftOf(soFar, soFar.checked)
  // Said before it is known: a store that fails while it commits may hold it, and what was not spent is given back.
  soFar.hold = { id, units, currency }
  const reservation = await service.storage.ledger.reserve(id, ceilings, units)
  showSpending(soFar, reservation.spentUnits, tightest, currency)
  if (!reservation.held) {
    delete soFar.hold
    const spent = fromMinorUnits(reservation.spentUnits, currency).amount
    return refuse(
      'budget_exceeded',
      `Of the cumulative budget, ${spent} ${currency} are spent or reserved; the rest does not cover the cost.`,
    )
  }
}

/** What may still be spent of a checked amount: a continuation does not run, nor pay for, what had ended before. */
function leftOf({ finished = [] }: SoFar, checked: Money): bigint {
  const before = finished.flatMap(({ cost }) => (cost?.currency === checked.currency ? [minorUnits(cost) ?? 0n] : []))
  const left = before.reduce((rest, spent) => rest - spent, minorUnits(checked) ?? 0n)
  return left > 0n ? left : 0n
}

function showSpending(soFar: SoFar, spent: bigint, { maxUnits }: Ceiling, currency: string): void {
  if (soFar.budget === undefined) return
  const left = maxUnits > spent ? maxUnits - spent : 0n
  soFar.budget = {
    ...soFar.budget,
    budget_spent: fromMinorUnits(spent, currency).amount,
    budget_remaining: fromMinorUnits(left, currency).amount,
  }
}
