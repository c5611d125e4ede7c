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
    retry_now: 'make the same call again.',
    revise_parameters: 'answer the question or change the parameters, then call again.',
    provide_credentials: 'set SVC_TOKEN_FILE or SVC_TOKEN, or run svc login.',
    wait_and_retry: 'wait, then make the same call again.',
    request_approval: 'ask an approver to decide the request (svc approvals), then make the same call again.',
    obtain_quote_first: 'get a quote, and pass its id.',
    obtain_binding: 'get the binding, and pass its id.',
    refresh_binding: 'get a new binding, and pass its id.',
    request_new_delegation: 'issue a new token: svc token issue --scope <scope> --out agent.token.',
    request_broader_scope: 'get a token with this scope: svc token issue --scope <scope>.',
    request_deeper_delegation: 'get a token that may be delegated further.',
    request_budget_increase: 'get a token with a larger budget: svc token issue --scope <scope> --budget <amount>.',
    request_budget_bound_delegation: 'get a token with a budget: svc token issue --scope <scope> --budget <amount>.',
    request_capability_binding:
      'get a token for this capability only: svc token issue --scope <scope> --capability <name>.',
    obtain_matching_currency:
      'get a token with a budget in this currency: svc token issue --scope <scope> --budget <amount>.',
    revalidate_state: 'read the current state before you call again.',
    check_manifest: 'compare the request with the manifest: GET /svc/manifest.',
    provide_input: 'add the missing input.',
    invoke_as_root_principal: 'call with a root token that the root principal holds. A delegated token is refused.',
    contact_service_owner: 'report the invocation id to the service owner.',
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
