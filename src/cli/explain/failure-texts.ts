import type { FailureType } from '../../protocol/failures.js'

/** Cause and remedy of a failure, for people. */
export interface FailureText {
  readonly cause: string
  /** Remedy, and the person who can apply it. */
  readonly remedy: string
  /** Result of repeating the same call, where the table alone would mislead. */
  readonly again?: string
}

/** Failure type -> its text; `svc explain` and the reference print it. */
export const FAILURE_TEXTS: { readonly [type in FailureType]: FailureText } = {
  authentication_required: {
    cause:
      'The request had no credential, or an unknown one. Depending on the endpoint, the credential is an ' +
      'API key, a token of an identity provider, or a delegation token.',
    remedy: 'Send `Authorization: Bearer …`. A running service reads its API key file every ten seconds.',
  },
  invalid_token: {
    cause: 'The delegation token was not signed by this service, was changed, or was issued for another service.',
    remedy:
      'Request a new token with `POST /svc/tokens`. If every token fails, the operator compares the service id and the keys.',
  },
  token_expired: {
    cause: 'The token, or a parent token in its chain, has expired.',
    remedy: 'Issue a new token, for longer if needed: up to `limits.max_ttl_hours` of the manifest.',
  },
  token_revoked: {
    cause: 'The token, a parent token, or the API key that requested it was revoked.',
    remedy: 'The root principal decides whether to issue a new token. The audit trail shows operators who revoked it.',
  },
  scope_insufficient: {
    cause:
      'The token lacks a scope of `minimum_scope`; a composition needs the scopes of all its steps. `requires` names the missing scope.',
    remedy: 'Issue a token with that scope. Scopes are compared exactly, without wildcards.',
  },
  connection_required: {
    cause:
      'The call uses the account of its root principal at an upstream system (`x-upstream.connection`), and none is ' +
      'connected: it never was, its access ended, or the upstream system asks for more scopes. `detail` says which.',
    remedy:
      'The root principal opens `connection_url`, or runs `svc connections connect`, and the same call is made again. ' +
      'A service has no accounts of people: it needs a credential of its own in the environment.',
  },
  scope_escalation: {
    cause:
      'The requested token exceeds the parent token or the credential: in a scope, a budget, a lifetime or a caller class.',
    remedy: 'Request less, or first get a parent token or an API key with more rights.',
  },
  insufficient_authority: {
    cause:
      'The credential is valid but lacks the right: it has not the role, may not name that subject, or is blocked.',
    remedy: 'Use another credential. `requires` names the role, which the operator adds to the key as `roles`.',
  },
  purpose_mismatch: {
    cause:
      'The token is bound to one task or one set of purpose parameters, and the call or the child token names another.',
    remedy: 'Keep to the purpose, or issue a token for the other one.',
  },
  delegation_depth_exceeded: {
    cause:
      'The token would be further from its root than `limits.max_delegation_depth`, or than its root token allows.',
    remedy: 'Delegate directly to the last agent, or issue a token that may be delegated further.',
  },
  non_delegable_action: {
    cause:
      'The capability has `requires_principal`: only a root token of such a principal, held by that ' +
      'principal, may call. An agent acting on its behalf may not.',
    remedy: 'The named principal must make the call itself. An agent acting for it cannot, with any token.',
  },
  control_requirement_unsatisfied: {
    cause:
      'The token does not meet a control requirement. `cost_ceiling` needs a budget; ' +
      '`stronger_delegation_required` needs a token for this capability only.',
    remedy: 'Issue a token with a budget, or one with `capability` set to this one.',
  },
  budget_exceeded: {
    cause:
      'The checked cost is above the budget of the token, or above the rest of a cumulative budget, less ' +
      'what is spent and held by running calls. For a `dynamic` cost, the service checks `upper_bound` or ' +
      'the input that `x-amount-input` names; for an estimate, the price of the quote. `budget_context` ' +
      'has the figures.',
    remedy:
      'Issue a token with a larger budget, or request less, such as a lower amount or limit. `svc explain ' +
      'budget` explains how budgets count.',
  },
  budget_currency_mismatch: {
    cause: 'The budget of the token is in another currency than the cost. Nothing is converted.',
    remedy: 'Issue a token with a budget in the currency of `cost.financial`.',
  },
  budget_not_enforceable: {
    cause:
      'The token has a budget, the cost is `estimated`, and no binding fixed its price: the call had none, or its binding has no `price`.',
    remedy:
      'Get a quote from the source of the binding first. If the call had one, the developer adds a `price` to `bindings.issue`.',
  },
  binding_missing: {
    cause: 'An input that `requires_binding` names is missing.',
    remedy: 'Call what `requires` names, which issues the binding, and pass its id.',
  },
  binding_stale: {
    cause:
      'The binding is older than `max_age`, belongs to another root principal or type, or was never ' +
      'issued. A handler must get its ids from `bindings.issue` and cannot make them itself.',
    remedy:
      'Get a new binding. If an earlier step of a composition got it, make the same call without a grant. ' +
      'If a new binding fails at once, the developer checks the handler that issues it.',
  },
  approval_required: {
    cause:
      'The call needs an approval. A request is open, `approval_request_id`, and the approvers are ' +
      'notified; an equal call gets the same request.',
    remedy:
      'An approver with `approver:<capability>`, or the approver scope of the service, approves: in the ' +
      'console, by `svc approvals approve`, or by `POST /svc/approval_grants`. Then make the same call ' +
      'again, with the same parameters and `approval_grant`, or with `approval: continue`, which finds the ' +
      'grant.',
    again: 'the same call succeeds with a grant, and fails again without one',
  },
  approval_denied: {
    cause:
      'An approver denied this call. The same call is refused, with the reason in `decision`, for ' +
      '`approvals.denial_holds` (PT10M by default), for everyone who acts for the same root principal.',
    remedy: 'Do not repeat the call. Discuss the reason with the approver, or call with other parameters.',
  },
  approval_returned: {
    cause:
      'An approver sent the call back with a question, which `decision` has. The same call gets this answer once, ' +
      'within 10 minutes.',
    remedy: 'Answer the question by other parameters, or make the same call again to open a new request.',
    again: 'The same call opens a new request.',
  },
  approval_grant_invalid: {
    cause:
      'The grant is not for this call. `reason` says whether it is used up, expired or revoked, or belongs ' +
      'to other parameters, another requester, session or capability.',
    remedy: 'Make exactly the call that was approved, or call without a grant, which opens a new request.',
  },
  approval_request_not_found: {
    cause: 'No request has this id, or this credential may not see it.',
    remedy: 'Check the id, and that the credential is for this service: `svc approvals list`.',
  },
  approval_request_closed: {
    cause:
      'The request was approved, was denied or has expired; a decision is final. A request lasts for ' +
      '`request_ttl`, and no longer than a quote it depends on (`max_age`).',
    remedy: 'Make the call again, which opens a new request if one is needed.',
  },
  approver_not_authorized: {
    cause:
      'This credential may not decide this request. It needs the scope `approver:<capability>`, or ' +
      '`approvals.approver_scope` of the manifest, or that of the tier. The requester may not decide, nor ' +
      'anyone above or below it in its chain, nor its root principal (`approvals.separation_of_duties`), ' +
      'nor an agent (`approvals.allow_agents`).',
    remedy:
      'Ask another approver, or ask the operator to add the scope to a key: `svc apikeys add human:ben --scope approver:<capability>`.',
  },
  grant_policy_violation: {
    cause:
      'The approver requested a grant that `grant_policy` of the capability does not allow: of another type, for longer, or for more uses.',
    remedy: 'Grant less; `grant_policy` of the request lists the limits.',
  },
  invalid_parameters: {
    cause:
      'The request is invalid: a parameter, or a member of the request, is unknown, missing, of another ' +
      'type or out of range. The detail names it.',
    remedy:
      'Compare the call with the manifest or `openapi.json`. `svc call` takes `name=text`, and a number, list or object as `name:=200`.',
  },
  clarification_required: {
    cause: 'An input is missing, or its value is ambiguous or unknown, and its `resolution` asks for clarification.',
    remedy: 'Answer the questions in `clarification.inputs`; ask the user if the answer is unknown.',
  },
  unknown_capability: {
    cause: 'The manifest has no capability of this name.',
    remedy: 'Use a name of the manifest, `GET /svc/manifest`. The build may be older than the manifest file.',
  },
  not_found: {
    cause: 'Nothing is served at this path, or the resource does not exist.',
    remedy: 'Use an address of `/.well-known/svc`.',
  },
  streaming_not_supported: {
    cause: 'The call requested a response mode that `response_modes` does not list.',
    remedy: 'Request a listed one. The developer can add `streaming` if the handler reports progress.',
  },
  unsupported_version: {
    cause: 'The request names a protocol version that the service does not support.',
    remedy: 'Use the version that the detail names.',
  },
  concurrent_request_rejected: {
    cause:
      'Another running call excludes this one: under an exclusive token, or with the same values of ' +
      '`x-exclusive-by`. This call did not start.',
    remedy: 'Wait for the other call, then make this one again.',
  },
  idempotency_in_progress: {
    cause: 'The first call with this idempotency key is still running.',
    remedy: 'Wait, then make the same call again: it gets the response of the first.',
  },
  idempotency_conflict: {
    cause:
      'The idempotency key was used within a day for a call with other parameters, another budget or other requested effects.',
    remedy: 'Use a new key for a new call, and the same key only to repeat a call.',
  },
  rate_limited: {
    cause: 'Too many calls of one kind in a minute, or too many undecided approval requests.',
    remedy: 'Wait as long as `Retry-After` says. The operator sets the `limits` of `createService`.',
  },
  payload_too_large: {
    cause: 'The body of the request is longer than the limit, 1 MiB by default.',
    remedy: 'Send less, or a reference to the data; the operator sets the limit.',
  },
  unsupported_media_type: {
    cause: 'The body of the request is not declared as JSON.',
    remedy: 'Send `Content-Type: application/json`.',
  },
  method_not_allowed: {
    cause: 'The path exists, but not for this method.',
    remedy: 'Use a method that `Allow` names.',
  },
  composition_child_failed: {
    cause:
      'A step of the composition failed, and `failure_policy` hides its failure. `step` names the step and ' +
      'its result; earlier steps stay done.',
    remedy:
      'Run `compensations` to undo earlier steps. The service owner finds the reason by the invocation id in the log and the audit trail.',
  },
  composition_empty_result: {
    cause: 'The step with `empty_result_source` found nothing, and `empty_result_policy` ends the composition.',
    remedy: 'Call with other values.',
  },
  outcome_unknown: {
    cause: 'The service was interrupted, or its handler failed, after a possible effect. Held amounts stay held.',
    remedy:
      'Do not repeat the call. Check with the capabilities in `requires` (`verify_via`); the operator ' +
      'settles it with `svc invocations resolve`.',
  },
  service_unavailable: {
    cause:
      'The store, the identity provider or the signer does not respond, the capability is paused, or the ' +
      'service is stopping. The call did not start.',
    remedy: 'Wait, then call again. The operator checks `/-/ready` and the log.',
  },
  upstream_answer_invalid: {
    cause:
      'The response of an upstream system to a read does not match its description: it is not JSON, is ' +
      'empty, or lacks a required member. `detail` names it. With `x-upstream: { answers: strict }` every ' +
      'deviation counts.',
    remedy:
      'The service owner corrects the output in the manifest, or the address and credential of the ' +
      'upstream system: a sign-in page is such a response.',
  },
  internal_error: {
    cause:
      'A handler or another hook threw an error, or returned a result that does not match `output`. The caller sees no internals.',
    remedy:
      'The developer finds the reason in the log of the service, by the invocation id. If the message ' +
      'names a missing handler that now exists, run `npm run build` and restart.',
  },
}
