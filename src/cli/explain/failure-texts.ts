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
      'The request had no credential, or one that the service does not know: an API key, a token of an identity provider, or a delegation token, by what was called.',
    remedy:
      'The caller sends `Authorization: Bearer …`. A running service reads its file of API keys every ten seconds.',
  },
  invalid_token: {
    cause: 'The delegation token is not one that this service signed, was changed, or was made for another service.',
    remedy:
      'The caller buys a new one by `POST /svc/tokens`. Where all tokens fail, the operator compares the service id and the keys.',
  },
  token_expired: {
    cause: 'The life of the token, or of one above it in its chain, is over.',
    remedy:
      'Whoever gave the token gives a new one, for longer if need be: up to `limits.max_ttl_hours` of the manifest.',
  },
  token_revoked: {
    cause: 'The token, one above it, or the API key that bought it was taken back.',
    remedy: 'The root principal decides whether to give a new one. An operator sees who revoked it in the trail.',
  },
  scope_insufficient: {
    cause:
      'A scope of `minimum_scope` is missing in the token; a composition needs those of all its steps. `requires` names it.',
    remedy: 'Whoever gave the token gives one with that scope. Scopes are compared exactly: no wildcards.',
  },
  scope_escalation: {
    cause:
      'Somebody asked for a token with more than they have: a scope, a budget, a life, a class that the parent token or the credential lacks.',
    remedy: 'The caller asks for less; or whoever gave the parent, or who keeps the API keys, gives more first.',
  },
  insufficient_authority: {
    cause: 'The credential is known, and not for this: it has not the role, may not name that subject, or is blocked.',
    remedy:
      'The caller comes with another credential; `requires` names the role, which the operator writes to its key as `roles`.',
  },
  purpose_mismatch: {
    cause:
      'The token is for one task or one set of purpose parameters, and the call, or the child token, names another.',
    remedy: 'The caller keeps to the purpose, or the root principal gives a token for the other one.',
  },
  delegation_depth_exceeded: {
    cause: 'The token would be further from its root than `limits.max_delegation_depth`, or than its own root allowed.',
    remedy: 'The root principal gives the token to the last agent directly, or one that may be passed on further.',
  },
  non_delegable_action: {
    cause:
      'The capability has `requires_principal`: only a root token of such a principal, for itself, may call; an agent on behalf of somebody may not.',
    remedy: 'The person, or the principal that is named, calls. No other token helps the agent.',
  },
  control_requirement_unsatisfied: {
    cause:
      'The token lacks what `control_requirements` asks: a budget (`cost_ceiling`), or being bound to this one capability (`stronger_delegation_required`).',
    remedy: 'Whoever gave the token gives one with a budget, or one with `capability` set to this one.',
  },
  budget_exceeded: {
    cause:
      'The checked cost is above the budget of the token, or above what is left of a cumulative one: what is spent, and what running calls hold. Of a `dynamic` cost, `upper_bound` is checked, or the input that `x-amount-input` names; of an estimate the price of the quote. `budget_context` has the figures.',
    remedy:
      'Whoever gave the token gives one with a larger budget; or the caller asks for less, such as by a lower amount or limit. `svc explain budget` says how they count.',
  },
  budget_currency_mismatch: {
    cause: 'The budget of the token is in another currency than the cost. Nothing is converted.',
    remedy: 'Whoever gave the token gives one with a budget in the currency of `cost.financial`.',
  },
  budget_not_enforceable: {
    cause:
      'The token has a budget, the cost is `estimated`, and no binding fixed its price: the caller gave none, or the one that issued it gave no `price`.',
    remedy:
      'The caller gets a quote from the source of the binding first. Where it had one, the developer gives `bindings.issue` a `price`.',
  },
  binding_missing: {
    cause: 'An input that `requires_binding` names was not given.',
    remedy: 'The caller calls what `requires` names, which issues the binding, and passes its id.',
  },
  binding_stale: {
    cause:
      'The binding is older than `max_age`, of another root principal or type, or was never issued: a handler has to get its id from `bindings.issue`, and makes none itself.',
    remedy:
      'The caller gets a new one; of a composition whose earlier step got it, by the same call without a grant. Where a new one fails at once, the developer looks at the handler that issues it.',
  },
  approval_required: {
    cause:
      'The call needs somebody who approves it. A request was opened, `approval_request_id`, and those who may decide are notified; an equal call gets the same request.',
    remedy:
      'Somebody else with `approver:<capability>`, or the approver scope of the service, approves: in the console, by `svc approvals approve`, or `POST /svc/approval_grants`. Then the caller makes the same call again, with the same parameters and `approval_grant`, or with `approval: continue`, which finds the grant.',
    again: 'the same call succeeds with a grant, and fails again without one',
  },
  approval_grant_invalid: {
    cause:
      'The grant is not for this call: `reason` says whether it is used up, expired, revoked, or of other parameters, another requester, session or capability.',
    remedy:
      'The caller makes exactly the call that was approved; else it calls without a grant, which opens a new request.',
  },
  approval_request_not_found: {
    cause: 'There is no request of this id, or none that this credential may see.',
    remedy: 'The approver looks at the id, and whether the credential is of this service: `svc approvals list`.',
  },
  approval_request_closed: {
    cause:
      'The request was approved, denied or has expired already; a decision stays. A request lasts for `request_ttl`, and no longer than a quote that it rests on (`max_age`).',
    remedy: 'The caller calls again, which opens a new request where one is needed.',
  },
  approver_not_authorized: {
    cause:
      'This credential may not decide about this request. It needs the scope `approver:<capability>`, or `approvals.approver_scope` of the manifest, or that of the tier. Whoever asked may not decide, nor who stands above or below in its chain, nor its root principal (`approvals.separation_of_duties`), nor an agent (`approvals.allow_agents`).',
    remedy:
      'Somebody else approves; or the operator adds the scope to a key: `svc apikeys add human:ben --scope approver:<capability>`.',
  },
  grant_policy_violation: {
    cause:
      'The approver asked for a grant that `grant_policy` of the capability does not allow: of another type, for longer, or for more uses.',
    remedy: 'The approver grants less; `grant_policy` of the request says the most.',
  },
  invalid_parameters: {
    cause:
      'The request does not fit: a parameter is unknown, missing, of another type or outside its bounds, or a member of the request is. The detail names it.',
    remedy:
      'The caller reads what the capability takes, in the manifest or `openapi.json`, and calls with that. `svc call` takes `name=text`, and a number, list or object as `name:=200`.',
  },
  clarification_required: {
    cause: 'An input is missing, or its value means several things or nothing, and its `resolution` says to ask.',
    remedy: 'The caller answers the questions in `clarification.inputs`, and asks its user where it does not know.',
  },
  unknown_capability: {
    cause: 'The manifest has no capability of this name.',
    remedy:
      'The caller takes a name of the manifest, `GET /svc/manifest`; the build may be older than the manifest file.',
  },
  not_found: {
    cause: 'Nothing is served under this path, or there is no such resource.',
    remedy: 'The caller takes an address of `/.well-known/svc`.',
  },
  streaming_not_supported: {
    cause: 'The caller asked for a kind of answer that `response_modes` does not list.',
    remedy: 'The caller asks for a listed one; the developer adds `streaming` where the handler reports progress.',
  },
  unsupported_version: {
    cause: 'The request names a version of the protocol that the service does not speak.',
    remedy: 'The caller takes the one that the detail names.',
  },
  concurrent_request_rejected: {
    cause:
      'Another call is running that excludes this one: under an exclusive token, or with the same values of `x-exclusive-by`. Nothing was begun.',
    remedy: 'The caller waits for the other one, and calls again.',
  },
  idempotency_in_progress: {
    cause: 'The first call with this idempotency key has not ended.',
    remedy: 'The caller waits, and makes the same call again: it then reads the answer of the first.',
  },
  idempotency_conflict: {
    cause: 'The idempotency key was used within a day for another call: the parameters differ.',
    remedy: 'The caller takes a new key for a new call, and the same key for a repetition only.',
  },
  rate_limited: {
    cause: 'Too many calls of one kind in a minute, or too many requests for approvals that nobody has decided.',
    remedy: 'The caller waits as long as `Retry-After` says. The operator sets the `limits` of `createService`.',
  },
  payload_too_large: {
    cause: 'The body of the request is longer than the service takes, 1 MiB if nobody chose another bound.',
    remedy: 'The caller sends less, or a reference to the data; the operator sets the limit.',
  },
  unsupported_media_type: {
    cause: 'The body of the request is not declared as JSON.',
    remedy: 'The caller sends `Content-Type: application/json`.',
  },
  method_not_allowed: {
    cause: 'The path exists, and not for this method.',
    remedy: 'The caller takes the one that `Allow` names.',
  },
  composition_child_failed: {
    cause:
      'A step of the composition failed, and `failure_policy` keeps its own failure back. `step` says which one and how; earlier steps stay done.',
    remedy:
      'The caller runs `compensations`, where what was done should be undone. The owner of the service finds the reason by the invocation id in the log and the trail.',
  },
  composition_empty_result: {
    cause: 'The step with `empty_result_source` found nothing, and the composition ends so: `empty_result_policy`.',
    remedy: 'The caller calls with other values.',
  },
  outcome_unknown: {
    cause:
      'The service was interrupted, or its handler failed, after it may have had an effect. What was held stays held.',
    remedy:
      'Nobody calls again to find out. The caller calls what `requires` names (`verify_via`); the operator settles it by `svc invocations resolve`.',
  },
  service_unavailable: {
    cause:
      'The store, the identity provider or the signer does not answer, the capability is paused, or the service is about to stop. Nothing was begun.',
    remedy: 'The caller waits and calls again. The operator looks at `/-/ready` and the log.',
  },
  upstream_answer_invalid: {
    cause:
      'A read of a service behind this one was answered with something else than its description says: no JSON, an empty body, or without a member that is required. `detail` names it. With `x-upstream: { answers: strict }` any deviation does that.',
    remedy:
      'The owner of the service corrects the output in the manifest, or the address and credential of the service behind: a page to sign in is such an answer.',
  },
  internal_error: {
    cause:
      'A handler, or a hook beside it, threw, or returned what does not fit `output`. The caller reads nothing of the inside.',
    remedy:
      'The developer finds the reason in the log of the service, by the invocation id. Is the message about a handler that is written since? Then `npm run build`, and start again.',
  },
}
