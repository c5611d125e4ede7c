import { statusOf } from '../../../protocol/failures.js'
import type { Envelope } from '../../../protocol/invocation.js'
import { disclosed, disclosureLevel } from '../../errors/disclosure.js'
import { present } from '../../json/present.js'
import type { Service } from '../../service.js'
import { budgetAfter } from './budget.js'
import type { Ended, CallOutcome } from './outcome.js'

/** Response to the caller: the exact text that an idempotency key remembers. */
export interface SealedEnvelope {
  readonly status: number
  readonly body: string
  readonly retryAfter?: number
}

export function answerOf(service: Service, ended: Ended): SealedEnvelope {
  const { outcome } = ended
  const answer = { status: statusOfOutcome(outcome), body: JSON.stringify(envelopeOf(service, ended)) }
  return outcome.ok || outcome.retryAfter === undefined ? answer : { ...answer, retryAfter: outcome.retryAfter }
}

/** The envelope that success and failure share (section 4.6). */
function envelopeOf(service: Service, ended: Ended): Envelope {
  const { invocation, outcome } = ended
  const { id, lineage, token } = invocation
  const { cost: cost_actual } = outcome
  const budget_context = budgetAfter(ended)
  if (outcome.ok)
    return {
      success: true,
      invocation_id: id,
      ...lineage,
      ...present({ result: outcome.result, result_deviations: outcome.deviations, cost_actual, budget_context }),
    }
  const level = disclosureLevel(service.manifest, token.claims.caller_class)
  const failure = disclosed(outcome.failure, level)
  return { success: false, invocation_id: id, ...lineage, ...present({ failure, cost_actual, budget_context }) }
}

export const statusOfOutcome = (outcome: CallOutcome): number =>
  outcome.ok ? 200 : (outcome.status ?? statusOf(outcome.failure.type))
