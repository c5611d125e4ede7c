import type { GovernedFacts } from '../facts/facts.js'
import { priceOf } from '../facts/price.js'
import type { Money } from '../../../protocol/money.js'
import type { Service } from '../../service.js'
import { runSteps, type RunStep } from './compose.js'
import { handlerContextOf } from './context.js'
import { issuing } from './issue-binding.js'
import { FailedByHandler, Refusal } from '../../errors/refusal.js'
import { thrownBy } from '../../errors/reason.js'
import { present } from '../../json/present.js'
import { ownCopy } from '../../json/own-copy.js'
import { Interrupted } from './interruptions.js'
import type { Invocation } from '../invocation.js'
import { jointly, type RightToRunAlone } from '../reserve/lease.js'
import type { Reserved } from '../reserve/reserved.js'
import type { Done } from '../settle/outcome.js'
import { warnOfUnissued } from './quotes-are-issued.js'
import { judgedResult } from './result.js'
import { timeLimit, type TimeLimit } from './time-limit.js'

/** Runs the handler, or the steps of a composition, within the time that it may take. */
export async function execute(
  service: Service,
  invocation: Invocation,
  facts: GovernedFacts,
  reserved: Reserved,
  runStep: RunStep,
): Promise<Done> {
  reserved.begun = true
  invocation.span?.stage('handler')
  invocation.listener?.started(invocation)
  const lease = leaseOf(invocation, reserved)
  const { handlerTimeoutMs, streamTimeoutMs } = service.limits
  const limit = timeLimit(invocation.listener === undefined ? handlerTimeoutMs : streamTimeoutMs, lease?.lost)
  const done =
    facts.capability.composition === undefined
      ? runHandler(service, invocation, facts, reserved, limit)
      : runSteps(service, { invocation, facts, reserved }, runStep, limit.signal)
  const ending = await limit.within(done)
  if ((await lease?.confirm()) === false) throw new Interrupted('The exclusive lease was lost.')
  return ending
}

/** A step runs under the leases of the whole, and under its own. */
const leaseOf = ({ step }: Invocation, { leases = [] }: Reserved): RightToRunAlone | undefined =>
  jointly(step === undefined ? leases : [...(step.whole.reserved.leases ?? []), ...leases])

async function runHandler(
  service: Service,
  invocation: Invocation,
  facts: GovernedFacts,
  reserved: Reserved,
  limit: TimeLimit,
): Promise<Done> {
  const handler = service.implementation.handlers[facts.name]!
  const quotes = issuing(service, invocation)
  const context = handlerContextOf(service, invocation, facts, reserved, limit.signal, quotes)
  const call = async (): Promise<unknown> => handler(ownCopy(facts.inputs) as never, context as never)
  const returned = await (invocation.span === undefined ? call() : invocation.span.within(call)).catch(
    (error: unknown) => refuseForeign(facts, thrownBy(error)),
  )
  const { result, deviations } = judgedResult(service, facts.name, returned)
  // A warning that cannot be made changes nothing of how the call ended.
  await warnOfUnissued(service, invocation, result, quotes).catch(() => undefined)
  const cost = reserved.reported ?? declaredPrice(facts)
  return present({ ok: true as const, result, deviations, cost })
}

/** A refusal of something that a handler with an effect asked for on its way does not say that it did nothing itself. */
function refuseForeign({ name, capability }: GovernedFacts, error: unknown): never {
  const isForeign = error instanceof Refusal && !(error instanceof FailedByHandler)
  if (!isForeign || capability.side_effect.type === 'read') throw error
  throw new Error(`The handler of ${name} let a refusal through that is not its own: ${error.message}`, {
    cause: error,
  })
}

/** Returns the cost of a finished call that reports none: the checked amount (section 4.6). */
const declaredPrice = (facts: GovernedFacts): Money | undefined =>
  facts.cost?.financial === undefined ? undefined : priceOf(facts)
