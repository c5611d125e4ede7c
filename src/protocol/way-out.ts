import type { ResolutionAction } from './failures.js'

/** Resolution action -> what somebody may do about it, for people (section 7). */
const ACTIONS: { readonly [action in ResolutionAction]: string } = {
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
}

export const wayOut = (action: ResolutionAction): string => ACTIONS[action]
