import { statusOf } from '../../../protocol/failures.js'
import type { Envelope } from '../../../protocol/invocation.js'
import { disclosed, disclosureLevel } from '../../errors/disclosure.js'
import { present } from '../../json/present.js'
import type { Service } from '../../service.js'
import { budgetAfter } from '../reserve/budget-hold.js'
import type { Invocation } from '../invocation.js'
import type { Done, Failed } from './outcome.js'

/** What the caller gets: the very text that an idempotency key remembers. */
export interface Answer {
  readonly status: number
  readonly body: string
}

/** The envelope that success and failure share (section 4.6). */
export function envelopeOf(service: Service, invocation: Invocation, outcome: Done | Failed): Envelope {
  const { id, lineage, token } = invocation
  const { cost: cost_actual } = outcome
  const budget_context = budgetAfter(invocation, outcome)
  if (outcome.ok)
    return {
      success: true,
      invocation_id: id,
      ...lineage,
      ...present({ result: outcome.result, cost_actual, budget_context }),
    }
  const level = disclosureLevel(service.manifest, token.claims.caller_class)
  const failure = disclosed(outcome.failure, level)
  return { success: false, invocation_id: id, ...lineage, ...present({ failure, cost_actual, budget_context }) }
}

export const statusOfOutcome = (outcome: Done | Failed): number =>
  outcome.ok ? 200 : (outcome.status ?? statusOf(outcome.failure.type))
