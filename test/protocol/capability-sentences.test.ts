/** What people and models are told of a call: what it changes, costs and needs, and what to do about its failure. */
import { expect, it } from 'vitest'
import { businessFailuresOf } from '../../src/protocol/business-failures.js'
import { approvalSentence, costSentence, EFFECT_SENTENCES } from '../../src/protocol/capability-sentence.js'
import { RECOVERY_CLASS_OF } from '../../src/protocol/failures.js'
import type { Cost } from '../../src/protocol/manifest.js'
import { wayOut } from '../../src/protocol/way-out.js'
import { capability } from '../runtime/fixture/manifest.js'

const inEuro = (members: object) => ({ currency: 'EUR', ...members })

it.each<[Cost['certainty'], object, string]>([
  ['fixed', inEuro({ amount: 5 }), 'Costs 5 EUR.'],
  ['fixed', inEuro({ amount: 0 }), 'Costs 0 EUR.'],
  ['fixed', inEuro({ amount: 5, upper_bound: 9 }), 'Costs 5 EUR.'],
  ['fixed', inEuro({ upper_bound: 9 }), 'Costs an estimated amount in EUR.'],
  ['dynamic', inEuro({ upper_bound: 9 }), 'Costs up to 9 EUR.'],
  ['dynamic', inEuro({ amount: 5, upper_bound: 9 }), 'Costs up to 9 EUR.'],
  ['dynamic', inEuro({ amount: 5 }), 'Costs an estimated amount in EUR.'],
  ['dynamic', inEuro({}), 'Costs an estimated amount in EUR.'],
  ['estimated', inEuro({ amount: 5 }), 'Costs an estimated amount in EUR.'],
  ['estimated', inEuro({ upper_bound: 9 }), 'Costs an estimated amount in EUR.'],
  ['estimated', inEuro({}), 'Costs an estimated amount in EUR.'],
])('a %s cost of %j: %s', (certainty, financial, sentence) => {
  expect(costSentence({ cost: { certainty, financial } as Cost })).toBe(sentence)
})

it.each([undefined, { certainty: 'fixed' } as Cost])('of the cost %j nothing is said', (cost) => {
  expect(costSentence(cost === undefined ? {} : { cost })).toBe('')
})

it('an effect and a need of an approval have a sentence', () => {
  expect(EFFECT_SENTENCES).toEqual({
    read: 'Changes nothing.',
    write: 'Makes a reversible change.',
    transactional: 'Makes a change that can be rolled back for a while.',
    irreversible: 'Makes a permanent change.',
  })
  expect((['never', 'sometimes', 'always'] as const).map(approvalSentence)).toEqual([
    '',
    'May need an approval.',
    'Needs an approval.',
  ])
})

it('every action has a way out of its own', () => {
  const actions = Object.keys(RECOVERY_CLASS_OF) as (keyof typeof RECOVERY_CLASS_OF)[]
  expect(Object.fromEntries(actions.map((action) => [action, wayOut(action)]))).toEqual({
    retry_now: 'the agent calls again.',
    provide_credentials: 'the agent comes with a valid credential.',
    wait_and_retry: 'the agent waits and calls again.',
    request_approval: 'somebody approves it.',
    obtain_quote_first: 'the agent gets a quote first.',
    obtain_binding: 'the agent gets the binding first.',
    refresh_binding: 'the agent gets a new binding.',
    request_new_delegation: 'the root principal gives a new token.',
    request_broader_scope: 'whoever gave the token gives one with the scope.',
    request_deeper_delegation: 'the root principal gives a token that may be passed on further.',
    request_budget_increase: 'whoever gave the token gives one with a larger budget.',
    request_budget_bound_delegation: 'whoever gave the token gives one with a budget.',
    request_capability_binding: 'whoever gave the token gives one for this capability alone.',
    obtain_matching_currency: 'whoever gave the token gives one with a budget in this currency.',
    revalidate_state: 'the agent looks at the state again, then decides.',
    check_manifest: 'the agent reads what the capability takes.',
    provide_input: 'the agent gives the input that is missing.',
    invoke_as_root_principal: 'the root principal calls it.',
    contact_service_owner: 'the owner of the service looks at it.',
  })
})

it('failures of the business come by name, each with its description and status', () => {
  const declared = { sold_out: 'Nothing is left.', closed: { description: 'It is shut.', status: 409 }, late: {} }
  expect(businessFailuresOf(capability({ extensions: { 'x-failures': declared } }))).toEqual([
    { type: 'closed', description: 'It is shut.', status: 409 },
    { type: 'late', description: '', status: 422 },
    { type: 'sold_out', description: 'Nothing is left.', status: 422 },
  ])
})
