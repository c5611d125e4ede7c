import type { BlockTexts } from './field-text.js'

const ADVISORY = 'Nothing is enforced: agents and people read it in the manifest, in permissions and in the reference.'

/** Descriptions of the fields of a capability. */
export const CAPABILITY_TEXTS: BlockTexts = {
  capability: {
    description:
      'The description of the tool, of the client’s method and of the operation in OpenAPI. Agents choose by it.',
    contract_version: 'Published; each audit entry names it. `svc diff` tells which part must grow for a change.',
    kind: {
      atRunTime: 'Decides who does the work.',
      default: '`atomic`',
      words: {
        atomic: 'A handler that you write.',
        composed: 'The runtime, which calls other capabilities as steps under the caller’s own token.',
      },
    },
    side_effect:
      'Decides whether a call leaves a durable note before it begins, what an interruption means, and which ' +
      'clients may retry.',
    minimum_scope:
      'A token that lacks one of these is refused with `scope_insufficient`, before anything else is looked at. ' +
      'An empty list lets every token in.',
    inputs: 'A parameter that is not listed is refused with `invalid_parameters`.',
    output: 'The result of a handler is checked against it; undeclared members are dropped.',
    cost: 'Budgets, approvals by cost and the audit trail go by it. Without it a call costs nothing.',
    requires: ADVISORY,
    composition: 'The steps of a `composed` capability.',
    business_effects: ADVISORY,
    requires_binding:
      'A call without a binding is `binding_missing`, one with an old or foreign one `binding_stale`. The price ' +
      'of a call can come from it.',
    control_requirements: 'A token that does not fulfil them is refused with `control_requirement_unsatisfied`.',
    requires_principal: {
      atRunTime:
        'Only a root token whose subject is its own root principal, and of one of these classes, may call. Any ' +
        'other is `non_delegable_action`: an agent cannot do it on behalf of somebody.',
      default: 'any principal',
      words: {
        human: 'A person, `human:ana`.',
        agent: 'An agent, `agent:planner`.',
        service: 'Another service, `service:billing`.',
        oidc: 'Principals named by an identity provider, `oidc:…`.',
      },
    },
    approval: 'A call that needs one is answered with `approval_required` and opens a request; with a grant it runs.',
    'x-title': {
      atRunTime: 'The title of the tool and of the capability in documents. Calls go by the key, not by the title.',
      default: 'the words of the key',
    },
    'x-exclusive-by': {
      atRunTime:
        'A call whose values of these inputs equal those of a running call is refused with ' +
        '`concurrent_request_rejected`, whoever makes it and on whichever replica: nothing was begun, and it may be ' +
        'made again. Inputs that are not given count as equal. It is no queue, and no lock beyond the call.',
      default: 'calls run side by side',
      worked:
        'With `x-exclusive-by: [warehouse]` Ana counts `north`. Ben’s call for `north` is refused meanwhile, his ' +
        'call ' +
        'for `south` runs. With `[warehouse, article]` both must be equal, so fewer calls exclude each other.',
    },
    'x-upstream':
      'Read by handlers that `svc import openapi` wrote, at each call of the service behind. Served to nobody.',
    response_modes: {
      atRunTime: 'Response modes that a caller may request; any other is `streaming_not_supported`.',
      default: '`[unary]`',
      words: { unary: 'One answer at the end.', streaming: 'Progress as events, then the answer.' },
    },
    observability: 'Parts of a call that its audit entry keeps. Each call is recorded, whatever the setting.',
    refresh_via: 'Named in `binding_stale` and `binding_missing` as what to call next.',
    verify_via: 'Named in `outcome_unknown` as what to call to find out what happened.',
    cross_service: ADVISORY,
    cross_service_contract: ADVISORY,
    composes_with: ADVISORY,
    session: ADVISORY,
  },
  'upstream terms': {
    answers: {
      atRunTime:
        'A read that is answered without a required member, or with no JSON, is `upstream_answer_invalid`. Of any other ' +
        'deviation, loose keeps what fits and lists the rest as `result_deviations`; strict fails. A change that was ' +
        'carried out succeeds either way.',
      default: '`loose`',
      words: { loose: 'Keeps what fits, and lists what does not.', strict: 'Fails on any deviation.' },
    },
    slashes:
      'A value of such an input leads further below its path: `a/b` is two segments. Dot segments stay `unsafe_parameter`.',
    connection:
      'Until the person has connected an account there, a call fails with `connection_required`, before any effect. ' +
      'The code that calls the system declares how people connect.',
  },
  output: {
    type: 'A name for people and documents.',
    fields:
      'A handler must return each of them, or the call ends as `internal_error` - as `outcome_unknown`, where it ' +
      'may have had an effect.',
  },
  'output field': {
    name: 'A member of the result, and of the type in handler and client.',
    type: {
      atRunTime:
        'What the handler returns must be of this type. Null is taken only where the list says `null`, or the ' +
        'type is `any`.',
      default: '`any`',
    },
    description: 'In the comment of the type, in OpenAPI and in the tool.',
    'x-schema': 'Checked when the handler returns; a value that does not match is not returned to the caller.',
  },
  'side effect': {
    type: {
      atRunTime: 'Decides what the runtime does around the handler.',
      words: {
        read: 'No note before the call. An interruption is `internal_error`, and clients try again by themselves.',
        write: 'A durable note comes first. An interruption is `outcome_unknown`: nobody says that it did not happen.',
        transactional:
          'As `write`, and `rollback_window` and `compensation` say how long it can be undone and by what.',
        irreversible: 'As `write`; clients and models are told that nothing undoes it.',
      },
    },
    rollback_window: ADVISORY,
    compensation: ADVISORY,
  },
  cost: {
    certainty: {
      atRunTime: 'Decides which amount is checked against budgets before the handler runs.',
      worked:
        'A token has 100 EUR for each call. `fixed` with `amount: 80` runs, with `amount: 120` it is ' +
        '`budget_exceeded`. `estimated`: the caller names a quote of 90 EUR, and 90 are checked, whatever ' +
        '`typical` says. `dynamic` with `upper_bound: 150` is refused, even if the call would cost 5 - unless ' +
        '`x-amount-input: amount` says what is checked: `amount: 40` runs.',
      words: {
        fixed: '`amount`, to the cent.',
        estimated:
          'The price of the binding that the call names; without a binding, no budget can be enforced and a ' +
          'token with one is refused (`budget_not_enforceable`).',
        dynamic:
          '`upper_bound`, or the input that `x-amount-input` names. What the handler reports afterwards is what ' +
          'is charged.',
      },
    },
    financial: 'Without it a call costs no money, and no budget is touched.',
    compute: ADVISORY,
    determined_by: ADVISORY,
    factors: ADVISORY,
    rate_limit: ADVISORY,
  },
  'financial cost': {
    currency: 'A token whose budget is in another currency is refused with `budget_currency_mismatch`.',
    amount: 'Checked, held and charged, where certainty is `fixed`.',
    upper_bound:
      'Checked and held, where certainty is `dynamic`; a handler that reports more is recorded with what it reports.',
    range_min: ADVISORY,
    range_max: ADVISORY,
    typical: ADVISORY,
    'x-amount-input': {
      atRunTime:
        'The value of this input is what budgets, approvals and the trail go by; above `upper_bound` the call is ' +
        '`invalid_parameters`. The steps of a composition may not cost more together, budget or not.',
      worked:
        'A composition that quotes for itself and then orders declares `x-amount-input: limit`: the caller says the ' +
        'most that this call may cost. `svc explain composition` shows it whole.',
    },
  },
  'compute cost': { expected_duration: ADVISORY },
  prerequisite: { capability: ADVISORY, reason: ADVISORY },
  'binding requirement': {
    type: 'The binding must be of this type.',
    field: 'The input whose value is the id of the binding. The handler finds the binding in `context.bound.<field>`.',
    source_capability: 'Only a binding that this capability has issued is taken, and failures name it as what to call.',
    max_age: { atRunTime: 'An older binding is `binding_stale`.', default: 'any age' },
  },
  'control requirement': {
    type: {
      atRunTime: 'Checked before the parameters. Permission discovery lists it as a reason.',
      worked:
        '`cost_ceiling`: a token without `budget` is refused, however cheap the call. With ' +
        '`budget: {currency: EUR, max_amount: 100}` each call may cost up to 100, any number of times. With ' +
        '`mode: cumulative` three calls of 40 are 40, 80, refused: 80 are spent, and the rest is 20. What runs ' +
        'counts with its checked amount until it ends; two calls of 60 at once are one success and one ' +
        '`budget_exceeded`.',
      words: {
        cost_ceiling: 'The token must have a budget.',
        stronger_delegation_required: 'The token must be bound to this very capability (`capability` in its request).',
      },
    },
    enforcement: {
      atRunTime: 'Nothing else can be chosen.',
      default: '`reject`',
      words: { reject: 'The call is refused.' },
    },
  },
  'business effects': { produces: ADVISORY, does_not_produce: ADVISORY },
  observability: {
    logged: {
      atRunTime:
        'Each call leaves an audit entry, whatever is written here; where false, it keeps no value of `fields_logged`.',
      default: '`true`',
    },
    retention: {
      atRunTime:
        'After it the running service erases the content of an entry; its digest stays, and with it the proof.',
      default: 'kept',
    },
    fields_logged: {
      atRunTime: 'The values of these inputs stand in the audit entry, of others only the digest.',
      default: 'none',
    },
    audit_accessible_by:
      'Nothing is enforced: a caller reads the audit entries of its root principal, an auditor reads all.',
  },
  'cross-service hints': { handoff_to: ADVISORY, refresh_via: ADVISORY, verify_via: ADVISORY, followup_via: ADVISORY },
  'service capability reference': { service: ADVISORY, capability: ADVISORY },
  'cross-service contract': { handoff: ADVISORY, followup: ADVISORY, verification: ADVISORY },
  'contract step': {
    target: ADVISORY,
    required_for_task_completion: { atRunTime: ADVISORY, default: '`false`' },
    continuity: { atRunTime: ADVISORY, words: { same_task: 'The step belongs to the same task.' } },
    completion_mode: {
      atRunTime: ADVISORY,
      words: {
        downstream_acceptance: 'The other service accepts the handoff.',
        followup_status: 'A capability of the other service reports the status.',
        verification_result: 'A capability of the other service verifies the effect.',
      },
    },
  },
  'companion capability': { capability: ADVISORY, optional: { atRunTime: ADVISORY, default: '`true`' } },
  session: {
    type: {
      atRunTime: ADVISORY,
      default: '`stateless`',
      words: {
        stateless: 'Each call stands for itself.',
        continuation: 'A second call continues the first.',
        workflow: 'The interaction has several steps.',
      },
    },
  },
}
