import { refuse } from '../../errors/refusal.js'
import type { Service } from '../../service.js'
import type { Settlement } from '../../storage/contract.js'
import { draftOf } from './draft.js'
import type { Answer } from './envelope.js'
import { holdSettled } from '../reserve/budget-hold.js'
import type { Invocation } from '../invocation.js'
import type { Done, Failed } from './outcome.js'

/** Everything that becomes true together when an invocation has ended so: entry, intent closed, hold settled, answer kept. */
export function settlementOf(
  service: Service,
  invocation: Invocation,
  outcome: Done | Failed,
  answer: Answer,
): Settlement {
  const { claim, intent, started } = invocation.soFar
  const isKept = claim !== undefined && started === true && !mayComeAgain(service, invocation, outcome)
  return {
    draft: draftOf(service, invocation, outcome),
    closesIntent: intent === true ? invocation.id : undefined,
    hold: holdSettled(invocation, outcome),
    answer: isKept ? { key: claim, invocationId: invocation.id, ...answer } : undefined,
  }
}

/** Makes a settlement durable; a claim on an idempotency key whose answer is not kept is given back. */
export async function record(service: Service, { id, soFar }: Invocation, settlement: Settlement): Promise<void> {
  const sealed = await service.record(settlement)
  if (sealed === undefined)
    return refuse('outcome_unknown', 'Another process took this invocation for lost and has recorded it as such.')
  if (soFar.claim !== undefined && settlement.answer === undefined)
    await service.storage.idempotency.abandon(soFar.claim, id)
}

/** Holds for a read that failed and may succeed unchanged: nothing was done, so its idempotency key need not keep the failure. */
const mayComeAgain = ({ capabilities }: Service, { name }: Invocation, outcome: Done | Failed): boolean =>
  !outcome.ok &&
  outcome.failure.retry &&
  capabilities.get(name)?.side_effect.type === 'read' &&
  capabilities.get(name)?.composition === undefined
