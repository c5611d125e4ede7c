import type { ResolutionAction } from './failures.js'

/** Resolution action -> next step for people (section 7). */
const ACTIONS: { readonly [action in ResolutionAction]: string } = {
  retry_now: 'make the same call again.',
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
  revise_parameters: 'answer the question or change the parameters, then call again.',
  check_manifest: 'compare the request with the manifest: GET /svc/manifest.',
  provide_input: 'add the missing input.',
  invoke_as_root_principal: 'call with a root token that the root principal holds. A delegated token is refused.',
  contact_service_owner: 'report the invocation id to the service owner.',
}

export const wayOut = (action: ResolutionAction): string => ACTIONS[action]
