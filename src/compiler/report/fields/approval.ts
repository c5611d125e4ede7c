import type { BlockTexts } from './field-text.js'

const COMPARED =
  'The condition holds where the value compares so; the approval is needed where all conditions of the list hold.'

/** Descriptions of the fields of approvals and compositions. */
export const APPROVAL_TEXTS: BlockTexts = {
  approval: {
    required: {
      atRunTime: 'Decides which calls need a grant. A composition needs no grant for its steps: the step pauses it.',
      words: {
        always: 'Each call.',
        handler: 'Calls for which the handler calls `context.approvalRequired()`, before it has an effect.',
      },
    },
    grant_policy: 'Bounds what an approver may grant; more is refused.',
    approvers: {
      atRunTime:
        'This many people must approve before a grant is issued. One denial ends the request. The grant gets the ' +
        'narrowest terms that an approver set.',
      default: '1',
    },
    tiers: {
      atRunTime: 'A checked cost above an amount needs the scope of that amount; an unknown cost needs the highest.',
      default: 'none: `approver:<capability>` or the approver scope of the service, whatever it costs',
    },
    preview: {
      atRunTime:
        'Before an approved call runs, the preview is made again. Where it is not what was approved, nothing runs: ' +
        'the approver is asked again, and sees both. What the handler passes to `approvalRequired()` is not shown. The ' +
        'service does not start without a preview of the capability.',
      default: 'the approval holds for the parameters, whatever has changed since',
      words: { must_hold: 'As above.' },
    },
  },
  'approval requirement': {
    when: 'A call needs a grant when all conditions match. A missing input counts as a match.',
  },
  'approval condition': {
    input: 'The value is compared as the handler would get it: resolved and defaulted.',
    cost: 'The checked cost is compared; a cost that is not known needs the approval.',
    equals: COMPARED,
    not_equals: COMPARED,
    in: COMPARED,
    above: COMPARED,
    at_least: COMPARED,
    below: COMPARED,
    at_most: COMPARED,
  },
  'approval tier': {
    cost_above: 'The highest amount that the checked cost exceeds decides who may approve.',
    approver_scope: 'Replaces `approver:<capability>` and `approvals.approver_scope`; nobody has it by default.',
  },
  'condition on cost': { above: COMPARED, at_least: COMPARED },
  'grant policy': {
    allowed_grant_types: {
      atRunTime: 'An approver may choose among these.',
      worked:
        'Ana’s agent asks to restart `web`; Ben approves `session_bound` with `max_uses: 3`. In that session the ' +
        'agent restarts `web` three times, the fourth call is `approval_grant_invalid`. Restarting `db` asks ' +
        'anew: the parameters are others. So does another session, and Ana’s other agent under another root. ' +
        'After `expires_in_seconds` nothing is left, used or not.',
      words: {
        one_time: 'One call, with the very parameters that were approved.',
        session_bound:
          'Up to `max_uses` calls of the same session, root principal and capability, with the parameters that ' +
          'were approved. It is no standing permission: it ends with `expires_in_seconds`.',
      },
    },
    default_grant_type: {
      atRunTime: 'Grant type if the approver does not choose.',
      words: { one_time: 'As above.', session_bound: 'As above.' },
    },
    expires_in_seconds: 'A grant that is older is `approval_grant_invalid`.',
    max_uses: 'A grant that was used so often is `approval_grant_invalid`. Replicas share the count.',
  },
  composition: {
    authority_boundary: 'Nothing else can be chosen: steps run in this service, under the caller’s own token.',
    steps:
      'Run one after the other. A token must satisfy each of them before the first begins. One that needs an approval ' +
      'pauses the whole, which answers `approval_required`; with the grant it goes on at that step. What they cost ' +
      'together may not exceed what was checked for the whole.',
    input_mapping:
      'Values are taken from the parent’s inputs and from what earlier steps returned; a step checks them like ' +
      'those of a caller.',
    'x-literals':
      'The step gets the value in each call, and checks it like one of a caller. An input has a path or a literal, ' +
      'not both.',
    output_mapping: 'The result is made of these; null where no step gave a value.',
    failure_policy: {
      atRunTime: 'Decides what the caller reads when a step does not succeed.',
      words: { propagate: 'The failure of the step.', fail_parent: 'A failure of the whole, without the step’s own.' },
    },
    empty_result_policy: {
      atRunTime:
        'Decides what the caller reads when the step with `empty_result_source` finds nothing; later steps do not run.',
      default: 'the caller reads `composition_empty_result`',
      words: {
        return_success_no_results: 'Success, with `empty_result_output`.',
        clarify: '`clarification_required`.',
        deny: '`composition_empty_result`.',
      },
    },
    empty_result_output: 'The result in that case.',
    audit_policy: 'Parts of the steps that the audit trail keeps.',
  },
  step: {
    id: 'In paths, and in the failure where a step fails.',
    capability: 'Called as if the caller had called it: scope, binding, approval and budget are judged for it.',
    empty_result_source: {
      atRunTime: 'An empty result of this step ends the composition, as `empty_result_policy` defines.',
      default: '`false`',
    },
    empty_result_path: 'Field of the result that decides: an empty list, an empty object or null counts as empty.',
  },
  'failure policy': {
    child_clarification: {
      atRunTime: 'Judged when a step asks back.',
      default: '`propagate`',
      words: { propagate: 'The caller reads the question.', fail_parent: 'A failure of the whole.' },
    },
    child_denial: {
      atRunTime: 'Judged when a step is refused.',
      default: '`propagate`',
      words: { propagate: 'The caller reads the refusal.', fail_parent: 'A failure of the whole.' },
    },
    child_approval_required: {
      atRunTime: 'Judged when a step needs an approval.',
      default: '`propagate`',
      words: {
        propagate: 'The caller reads `approval_required`, and goes on with the grant.',
        fail_parent: 'A failure of the whole.',
      },
    },
    child_error: {
      atRunTime: 'Judged when a step fails otherwise.',
      default: '`fail_parent`',
      words: { propagate: 'The caller reads the failure of the step.', fail_parent: 'A failure of the whole.' },
    },
  },
  'audit policy': {
    record_child_invocations:
      'Whether a step that only reads leaves an entry of its own; one with an effect always does.',
    parent_task_lineage:
      'Whether steps carry the `task_id`, the reference and the upstream service of the call. With false they still ' +
      'carry the task that the token names, and `parent_invocation_id`.',
  },
}
