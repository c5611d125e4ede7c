import { failure } from '../../../protocol/failures.js'
import type { Capability, Composition, CompositionStep, Json, JsonObject } from '../../../protocol/manifest.js'
import type { Money } from '../../../protocol/money.js'
import type { ChildOutcome } from '../../../protocol/words.js'
import { amountInputOf } from '../facts/cost.js'
import { ceilingOf } from '../facts/ceiling.js'
import { priceOf } from '../facts/price.js'
import { present } from '../../json/present.js'
import { refuse, Refusal } from '../../errors/refusal.js'
import type { Service } from '../../service.js'
import { questionOf } from '../inputs/outcome.js'
import { filled, valueAtPath, type Outputs } from './paths.js'
import type { Whole } from '../invocation.js'
import { poolOf, type Pool } from '../reserve/pool.js'
import { costsOfSteps, totalOfSteps } from '../reserve/spent.js'
import type { Done, FailedOutcome, CallOutcome } from '../settle/outcome.js'
import { composedResultOf } from './result.js'

/** Runs one step as an invocation of its own, under the caller's authority. */
export type RunStep = (
  service: Service,
  whole: Whole,
  step: CompositionStep,
  parameters: JsonObject,
) => Promise<CallOutcome>

/**
 * Runs the steps of a composed capability in order; the first that fails or finds nothing decides how the whole ends
 * (section 2.8).
 */
export async function runSteps(
  service: Service,
  call: Omit<Whole, 'pool' | 'finished'>,
  runStep: RunStep,
  signal: () => AbortSignal,
): Promise<Done> {
  const { facts } = call
  const composition = facts.capability.composition!
  const pool = openPool(service, call)
  const finished = [...(facts.approval.used?.finished ?? [])]
  const outputs = new Map(finished.map(({ id, output }) => [id, output]))
  for (const step of composition.steps.slice(finished.length)) {
    if (signal().aborted) throw signal().reason
    const parameters = parametersFor(composition, step, facts.inputs, outputs)
    const outcome = await runStep(service, { ...call, pool, finished }, step, parameters)
    if (!outcome.ok) return failWith(service, composition, step, outcome, outputs)
    outputs.set(step.id, outcome.result)
    finished.push(present({ id: step.id, capability: step.capability, output: outcome.result, cost: outcome.cost }))
    if (isEmpty(step, outcome.result)) return endEmpty(service, { ...call, pool, finished }, step, outputs)
  }
  return {
    ok: true,
    result: composedResultOf(service, facts.name, mapped(composition.output_mapping, facts.inputs, outputs)),
    ...costOfWhole(service, { ...call, pool, finished }),
  }
}

/**
 * The steps share what was checked for the whole, or the ceiling of the token's budget where a step is an estimate. An
 * input by which the caller says the most holds without a budget, too.
 */
function openPool({ capabilities }: Service, { facts }: Pick<Whole, 'facts'>): Pool | undefined {
  const budget = ceilingOf(facts)
  const { cost, composition, requires_binding } = facts.capability
  const finished = facts.approval.used?.finished
  const input = amountInputOf(cost, requires_binding)
  const said = input === undefined ? undefined : priceOf(facts)
  if (input !== undefined && said !== undefined) return poolOf(said, { input }, finished)
  if (budget === undefined) return undefined
  const isOpen =
    cost === undefined &&
    composition!.steps.some((step) => capabilities.get(step.capability)?.cost?.certainty === 'estimated')
  const ceiling = isOpen ? undefined : priceOf(facts)
  if (ceiling !== undefined) return poolOf(ceiling, cost === undefined ? 'budget' : 'cost', finished)
  return poolOf({ currency: budget.currency, amount: budget.max_amount }, 'budget', finished)
}

const parametersFor = (
  { input_mapping, 'x-literals': literals = {} }: Composition,
  { id }: CompositionStep,
  inputs: JsonObject,
  outputs: Outputs,
): JsonObject => ({
  ...(Object.hasOwn(literals, id) ? literals[id] : {}),
  ...withoutNull(mapped(Object.hasOwn(input_mapping, id) ? input_mapping[id]! : {}, inputs, outputs)),
})

const mapped = (mapping: { readonly [name: string]: string }, inputs: JsonObject, outputs: Outputs): JsonObject =>
  Object.fromEntries(Object.entries(mapping).map(([name, path]) => [name, valueAtPath(path, inputs, outputs)]))

const withoutNull = (values: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))

function isEmpty({ empty_result_source, empty_result_path }: CompositionStep, output: JsonObject): boolean {
  if (empty_result_source !== true) return false
  const field = empty_result_path?.replace(/^\$\./u, '')
  if (field !== undefined) return isNothing(Object.hasOwn(output, field) ? output[field]! : null)
  return Object.values(output).every(isNothing)
}

const isNothing = (value: Json): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** All later steps are skipped; the policy decides what the caller gets. */
function endEmpty(service: Service, whole: Whole, step: CompositionStep, outputs: Outputs): Done {
  const { name, capability, inputs } = whole.facts
  const { empty_result_policy, empty_result_output = {} } = capability.composition!
  const detail = `The step ${step.id} found nothing.`
  switch (empty_result_policy) {
    case 'clarify':
      return askForOthers(detail, capability, step)
    case 'return_success_no_results':
      return {
        ok: true,
        result: composedResultOf(service, name, filled(empty_result_output, inputs, outputs)),
        ...costOfWhole(service, whole),
      }
    default:
      return refuse('composition_empty_result', detail)
  }
}

const OUTCOME_OF: { readonly [type: string]: ChildOutcome } = {
  clarification_required: 'child_clarification',
  approval_required: 'child_approval_required',
  approval_denied: 'child_approval_required',
  approval_returned: 'child_approval_required',
  internal_error: 'child_error',
  service_unavailable: 'child_error',
  outcome_unknown: 'child_error',
}

/** Asks for other values of the inputs that the step was called with; of all, where it was called with none. */
function askForOthers(detail: string, { inputs, composition }: Capability, { id }: CompositionStep): never {
  const mapping = composition!.input_mapping
  const paths = new Set(Object.values(Object.hasOwn(mapping, id) ? mapping[id]! : {}))
  const used = inputs.filter(({ name }) => paths.has(`$.input.${name}`))
  const asked = used.length === 0 ? inputs : used
  return refuse('clarification_required', detail, {
    requires: asked.map(({ name }) => name).join(', '),
    clarification: { inputs: asked.map((input) => questionOf(input, { reason: 'unresolved' })) },
  })
}

/** The failure of a step as the policy says: handed up as it is, or as the failure of the whole (section 2.8). */
function failWith(
  service: Service,
  { failure_policy, steps }: Composition,
  step: CompositionStep,
  { failure: failed, status, retryAfter }: FailedOutcome,
  outputs: Outputs,
): never {
  const outcome = Object.hasOwn(OUTCOME_OF, failed.type) ? OUTCOME_OF[failed.type]! : 'child_denial'
  const compensations = steps.flatMap((each) => {
    const compensation = service.capabilities.get(each.capability)?.side_effect.compensation
    return outputs.has(each.id) && compensation !== undefined
      ? [{ step: each.id, capability: each.capability, compensation }]
      : []
  })
  const undo = compensations.length === 0 ? {} : { compensations }
  // The very same call would run the earlier steps again: where one of them had an effect, it may not be repeated.
  // One that waits for an approval continues at its step.
  const hasRun = steps.some((each) => outputs.has(each.id) && hasEffect(service, each))
  const again = hasRun && failed.type !== 'approval_required' ? { retry: false } : {}
  if (failure_policy[outcome] === 'propagate')
    throw new Refusal({ ...failed, ...undo, ...again }, present({ status, retryAfter }))
  throw new Refusal(
    failure('composition_child_failed', `The step ${step.id} (${step.capability}) failed: ${failed.type}.`, {
      step: { id: step.id, capability: step.capability, failure_type: failed.type },
      ...undo,
    }),
  )
}

const hasEffect = ({ capabilities }: Service, { capability }: CompositionStep): boolean =>
  capabilities.get(capability)?.side_effect.type !== 'read'

/**
 * Returns the cost of the composition: that of its steps, which is zero if every step with a cost was skipped; or the
 * declared and checked cost if its steps have none.
 */
function costOfWhole({ capabilities }: Service, { facts, reserved, finished }: Whole): { readonly cost?: Money } {
  const checked = priceOf(facts)
  if (checked === undefined || costsOfSteps(reserved).length > 0) return totalOfSteps(reserved)
  const { cost, composition } = facts.capability
  const costs = ({ capability }: { readonly capability: string }): boolean =>
    capabilities.get(capability)?.cost?.financial !== undefined
  const arePaidBefore = finished.some((step) => step.cost !== undefined)
  const areSkipped = composition!.steps.some(costs) && !finished.some(costs)
  if (arePaidBefore || areSkipped) return { cost: { currency: checked.currency, amount: 0 } }
  return cost?.financial === undefined ? {} : { cost: checked }
}
