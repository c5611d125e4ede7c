/** As what the failure of a step counts, by which the failure policy of the whole decides (section 2.8). */
import { describe, expect, it } from 'vitest'
import type { Capability } from '../../src/protocol/manifest.js'
import { CHILD_OUTCOMES, type ChildOutcome } from '../../src/protocol/words.js'
import type { HandlerContext } from '../../src/runtime/index.js'
import { StorageUnavailable } from '../../src/runtime/storage/contract.js'
import { capability, composition, declares, input, ONE_TIME } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'

interface Case {
  readonly step?: Partial<Capability>
  readonly handler?: (given: object, context: HandlerContext) => unknown
}

const throwing = (error: unknown) => () => {
  throw error
}
const failing =
  (type: string) =>
  (_: object, { fail }: HandlerContext) =>
    fail(type, 'No.')

const CASES: readonly (readonly [why: string, type: string, counts: ChildOutcome, Case])[] = [
  ['a handler that refuses', 'sold_out', 'child_denial', { step: declares('sold_out'), handler: failing('sold_out') }],
  ['an input that is not valid', 'invalid_parameters', 'child_denial', { step: { inputs: [input('city', { type: 'number' })] } }],
  ['a quote that nobody issued', 'binding_stale', 'child_denial', { step: { requires_binding: [{ type: 'quote', field: 'city' }] } }],
  ['an input that is missing', 'clarification_required', 'child_clarification', { step: { inputs: [input('city'), input('day', { resolution: { mode: 'clarify' } })] } }],
  ['an approval that is missing', 'approval_required', 'child_approval_required', { step: { approval: { required: 'always', grant_policy: ONE_TIME } } }],
  ['a handler that is not served', 'service_unavailable', 'child_error', { handler: failing('service_unavailable') }],
  ['a store that is away', 'service_unavailable', 'child_error', { handler: throwing(new StorageUnavailable('away')) }],
  ['a handler that only reads and breaks', 'internal_error', 'child_error', { handler: throwing(new Error('no')) }],
  ['a handler with effects that breaks', 'outcome_unknown', 'child_error', { step: { side_effect: { type: 'write' } }, handler: throwing(new Error('no')) }],
] // prettier-ignore

/** The answer to a whole of one step, where the policy has one word for an outcome and another for every other. */
async function answer({ step, handler = () => ({}) }: Case, outcome: ChildOutcome, word: string, otherwise: string) {
  const failure_policy = { ...Object.fromEntries(CHILD_OUTCOMES.map((each) => [each, otherwise])), [outcome]: word }
  const trip = capability({
    kind: 'composed',
    inputs: [input('city')],
    side_effect: { type: 'write' },
    composition: composition([{ id: 'one', capability: 'book' }], {
      input_mapping: { one: { city: '$.input.city' } },
      empty_result_policy: 'return_success_no_results',
      failure_policy: failure_policy as never,
    }),
  })
  const { root, invoke } = await startFixture({
    capabilities: { trip, book: capability({ inputs: [input('city')], ...step }) },
    handlers: { book: handler },
  })
  const { token } = await root({ subject: 'agent:planner' })
  return (await invoke('trip', token, { parameters: { city: 'Oslo' } })).body['failure']
}

describe.each(CASES)('of %s (%s), which is a %s,', (_, type, counts, step) => {
  it('that policy alone fails the whole', async () => {
    const failure = await answer(step, counts, 'fail_parent', 'propagate')
    expect(failure).toMatchObject({
      type: 'composition_child_failed',
      step: { id: 'one', capability: 'book', failure_type: type },
    })
  })

  it('that policy alone hands up the failure as it is', async () => {
    expect((await answer(step, counts, 'propagate', 'fail_parent'))?.['type']).toBe(type)
  })
})
