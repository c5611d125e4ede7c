import { minorUnits } from '../../protocol/money.js'
import { refuse } from '../refusal.js'
import type { Service } from '../service.js'
import type { Settlement } from '../storage/contract.js'
import { draftOf } from './draft.js'
import type { Answer } from './envelope.js'
import type { Invocation } from './invocation.js'
import type { Done, Failed } from './outcome.js'

/** Everything that becomes true together when an invocation has ended so: entry, intent closed, hold settled, answer kept. */
export function settlementOf(
  service: Service,
  invocation: Invocation,
  outcome: Done | Failed,
  answer: Answer,
): Settlement {
  const { claim, intent, started } = invocation.soFar
  return {
    draft: draftOf(service, invocation, outcome),
    ...(intent && { closesIntent: invocation.id }),
    ...holdSettled(invocation, outcome),
    ...(claim && started && { answer: { key: claim, invocationId: invocation.id, ...answer } }),
  }
}

/** Makes a settlement durable; a claim on an idempotency key whose handler never ran is given back. */
export async function record(service: Service, { id, soFar }: Invocation, settlement: Settlement): Promise<void> {
  const sealed = await service.record(settlement)
  if (sealed === undefined)
    return refuse('outcome_unknown', 'Another process took this invocation for lost and has recorded it as such.')
  if (soFar.claim !== undefined && soFar.started === undefined)
    await service.storage.idempotency.abandon(soFar.claim, id)
}

/** A hold becomes what was really spent: nothing after a failure, everything while the outcome is unknown. */
function holdSettled({ soFar: { hold } }: Invocation, outcome: Done | Failed): Pick<Settlement, 'hold'> {
  if (hold === undefined) return {}
  const isUnknown = !outcome.ok && outcome.failure.type === 'outcome_unknown'
  const spent = outcome.cost === undefined ? 0n : (minorUnits(outcome.cost) ?? 0n)
  return { hold: { holdId: hold.id, units: isUnknown ? hold.units : spent } }
}
