import type { GovernedFacts } from '../checks/facts.js'
import type { Money } from '../../../protocol/money.js'
import type { Service } from '../../service.js'
import { runSteps, type RunStep } from './compose.js'
import { contextOf } from './context.js'
import { ownCopy } from '../../json/own-copy.js'
import { Interrupted } from './interruptions.js'
import type { Invocation } from '../invocation.js'
import type { Done } from '../settle/outcome.js'
import { resultOf } from './result.js'
import { timeLimit, type TimeLimit } from './time-limit.js'

/** Runs the handler, or the steps of a composition, within the time that it may take. */
export async function execute(
  service: Service,
  invocation: Invocation,
  facts: GovernedFacts,
  runStep: RunStep,
): Promise<Done> {
  invocation.soFar.started = true
  invocation.listener?.started(invocation)
  const { lease } = (invocation.composedBy ?? invocation).soFar
  const { handlerTimeoutMs, streamTimeoutMs } = service.limits
  const limit = timeLimit(invocation.listener === undefined ? handlerTimeoutMs : streamTimeoutMs, lease?.lost)
  const done =
    facts.capability.composition === undefined
      ? limit.within(runHandler(service, invocation, facts, limit))
      : limit.within(runSteps(service, invocation, facts, runStep, limit.signal))
  const ending = await done
  if ((await lease?.confirm()) === false) throw new Interrupted('The exclusive lease was lost.')
  return ending
}

async function runHandler(
  service: Service,
  invocation: Invocation,
  facts: GovernedFacts,
  limit: TimeLimit,
): Promise<Done> {
  const handler = service.implementation.handlers[invocation.name]!
  const context = contextOf(service, invocation, facts, limit.signal)
  const returned: unknown = await handler(ownCopy(facts.inputs) as never, context as never)
  const result = resultOf(service, invocation.name, returned)
  return { ok: true, result, ...actualCost(invocation, facts) }
}

/** What a finished call cost: the reported amount, else the checked one (section 4.6). */
function actualCost({ soFar }: Invocation, { cost: declared }: GovernedFacts): { readonly cost?: Money } {
  const cost = soFar.reported ?? (declared?.financial === undefined ? undefined : soFar.checked)
  return cost === undefined ? {} : { cost }
}
