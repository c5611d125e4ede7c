import { present } from '../json/present.js'
import type { Service } from '../service.js'
import { CallerAsked, refusalOfAsking } from './execute/caller.js'
import { ApprovalNeeded } from './execute/interruptions.js'
import { askForHandler, assertNotWaiting, enforceApproval } from './approval.js'
import { enforce } from './checks/index.js'
import { decidingFacts } from './checks/deciding-facts.js'
import type { RunStep } from './execute/compose.js'
import { execute } from './execute/execute.js'
import { beginStep, endStep } from './execute/step.js'
import type { Facts, GovernedFacts } from './facts/facts.js'
import { gatherApproval, gatherCall, gatherPrice } from './facts/gather.js'
import { resolveInputs } from './inputs/resolve.js'
import type { Invocation } from './invocation.js'
import { claimKey } from './reserve/idempotency.js'
import { claimForRefusal } from './reserve/lasting-refusal.js'
import { releaseLeases } from './reserve/lease.js'
import { assertShareIsLeft, reserve } from './reserve/reserve.js'
import type { Reserved } from './reserve/reserved.js'
import { thrownBy } from '../errors/reason.js'
import { tracedCallOf } from '../telemetry/tracing.js'
import { answerOf, type SealedEnvelope } from './settle/envelope.js'
import { failedWith } from './settle/failed.js'
import type { Ended, Replayed } from './settle/outcome.js'
import { record } from './settle/record.js'

/** Response of an invocation. */
export interface Ending extends SealedEnvelope {
  readonly replayed?: true
}

/** One invocation, from its beginning to its answer (section 4.6): the only place that decides how it ends. */
export async function invoke(service: Service, invocation: Invocation): Promise<Ending> {
  const { span } = invocation
  if (span === undefined) return runToItsEnd(service, invocation)
  return runToItsEnd(service, invocation).finally(() => span.end('internal_error'))
}

async function runToItsEnd(service: Service, invocation: Invocation): Promise<Ending> {
  const began = performance.now()
  const ended = await run(service, invocation)
  if ('replayed' in ended) return replayedOn(invocation, ended)
  invocation.span?.stage('record')
  const answer = answerOf(service, ended)
  const unrecorded = await record(service, ended, answer)
  const { failure } = unrecorded ?? (ended.outcome.ok ? { failure: undefined } : ended.outcome)
  invocation.span?.end(failure?.type)
  const ms = performance.now() - began
  service.metrics?.invoked(invocation.name, failure?.type, ms)
  const { capability } = tracedCallOf(service, invocation.name, invocation.id)
  service.log.call?.(present({ capability, invocation_id: invocation.id, failure_type: failure?.type, ms }))
  if (ended.reserved.leases !== undefined) await releaseLeases(service, invocation.id, ended.reserved.leases)
  return unrecorded === undefined ? answer : answerOf(service, { ...ended, outcome: unrecorded })
}

/** Records a replayed response: no failure of it counts again. */
function replayedOn({ span }: Invocation, replayed: Replayed): Ending {
  span?.end(undefined)
  return replayed
}

/**
 * Gathers, checks, reserves, executes. Whatever is thrown on the way becomes an outcome here, beside what was known by
 * then.
 */
async function run(service: Service, invocation: Invocation): Promise<Ended | Replayed> {
  const reserved: Reserved = {}
  let facts: Facts = {}
  const { span } = invocation
  span?.stage('check')
  try {
    const call = enforce('call', gatherCall(service, invocation))
    if (call.capability.composition !== undefined) enforce('token', decidingFacts(service.capabilities, call))
    const inputs = await resolveInputs(service, enforce('fields', call))
    const earlier = await claimKey(service, invocation, inputs, reserved)
    if (earlier !== undefined) return earlier
    facts = { inputs }
    const priced = enforce('binding', await gatherPrice(service, call, inputs))
    facts = priced
    assertShareIsLeft(invocation, enforce('price', priced))
    const governed = await gatherApproval(service, invocation, priced)
    facts = await enforceApproval(service, invocation, governed)
    await assertNotWaiting(service, invocation, governed)
    span?.stage('reserve')
    await reserve(service, invocation, governed, reserved)
    const outcome = await executeOrAsk(service, invocation, governed, reserved)
    return { invocation, facts, reserved, outcome }
  } catch (error) {
    const failed = failedWith(service, invocation, reserved, thrownBy(error))
    const outcome = await claimForRefusal(service, invocation, reserved, failed)
    return 'replayed' in outcome ? outcome : { invocation, facts, reserved, outcome }
  }
}

/** Executes, unless the handler asks its caller or for an approval first: then nothing has begun. */
const executeOrAsk = (service: Service, invocation: Invocation, facts: GovernedFacts, reserved: Reserved) =>
  execute(service, invocation, facts, reserved, runStep).catch(async (thrown: unknown) => {
    const error = thrownBy(thrown)
    if (error instanceof CallerAsked) {
      delete reserved.begun
      throw refusalOfAsking(invocation, error)
    }
    // Where none can be asked for, the handler is at fault, and nobody knows what it did before.
    if (!(error instanceof ApprovalNeeded) || facts.capability.approval === undefined) throw error
    delete reserved.begun
    throw await askForHandler(service, invocation, facts, error.preview)
  })

/** A step of a composition is an invocation of its own; it has no idempotency key, so nothing is replayed. */
const runStep: RunStep = async (service, whole, step, parameters) =>
  endStep(service, whole, (await run(service, beginStep(service, whole, step, parameters))) as Ended)
