import { type CHILD_OUTCOMES, EMPTY_RESULT_POLICIES, FAILURE_POLICIES } from '../../../protocol/words.js'
import { judged, required, type Field, type ManifestShape } from '../field.js'
import { any, flag, list, map, object, oneOf, text, word } from '../kinds.js'

const STEP: ManifestShape = {
  title: 'step',
  fields: {
    id: judged({ with: 'steps', kinds: ['SVC9123'] }, required(text('Names the step in paths: $.steps.<id>.output.<field> [2.8].', { format: 'identifier', codes: { format: 'SVC4006' } }))),
    capability: judged({ with: 'steps', kinds: ['SVC9123'] }, required(text('The atomic capability of this manifest that the step invokes [2.8].', { examples: ['search_flights'] }))),
    empty_result_source: judged({ with: 'steps', kinds: ['SVC9123'] }, flag('True if an empty result of this step makes the whole result empty; one step at most [2.8].')),
    empty_result_path: judged({ with: 'steps', kinds: ['SVC9123'] }, text('The output field whose emptiness counts, as $.<field>; the whole output when absent.', { format: 'emptyPath', examples: ['$.flights'], codes: { format: 'SVC4210' } })),
  },
} // prettier-ignore

const outcome = (about: string): Field => word(about, FAILURE_POLICIES, { codes: { word: 'SVC4302' } })

const FAILURE_POLICY: ManifestShape = {
  title: 'failure policy',
  fields: {
    child_clarification: judged(
      { with: 'failure_policy', kinds: ['SVC9127'] },
      outcome('Result if a child asks for clarification; default propagate.'),
    ),
    child_denial: judged(
      { with: 'failure_policy', kinds: ['SVC9127'] },
      outcome('Result if a child is denied; default propagate.'),
    ),
    child_approval_required: judged(
      { with: 'failure_policy', kinds: ['SVC9127'] },
      outcome('Result if a child needs approval; default propagate.'),
    ),
    child_error: judged(
      { with: 'failure_policy', kinds: ['SVC9127'] },
      outcome('Result if a child fails otherwise; default fail_parent.'),
    ),
  } satisfies { readonly [name in (typeof CHILD_OUTCOMES)[number]]: Field },
}

const AUDIT_POLICY: ManifestShape = {
  title: 'audit policy',
  fields: {
    record_child_invocations: judged(
      { on: 'SVC9129', off: 'SVC9128', absent: true },
      required(
        flag('Whether each step leaves an audit entry of its own; one that changes something always does [2.8].'),
        'SVC4305',
      ),
    ),
    parent_task_lineage: judged(
      { on: 'SVC9129', off: 'SVC9128', absent: true },
      required(
        flag(
          'Whether steps carry the task id and the references of the parent; they always name its invocation, and a task ' +
            'that the token names [2.8].',
        ),
        'SVC4305',
      ),
    ),
  },
}

/** Values are checked by the rules on mappings, which tell a literal from a wrong path. */
const path = any('A path: $.input.<name> or $.steps.<id>.output.<field>.', { examples: ['$.input.city'] })

export const COMPOSITION: ManifestShape = {
  title: 'composition',
  fields: {
    authority_boundary: judged({ any: 'SVC9259' }, required(text('Only same_service is accepted [2.8].', { examples: ['same_service'] }), 'SVC4001')),
    steps: judged({ any: 'SVC9123' }, required(list('Ordered internal steps; each invokes an atomic capability [2.8].', object('A step.', STEP), { min: 1, codes: { few: 'SVC4004' } }))),
    input_mapping: judged({ any: 'SVC9124' }, required(map('Step id -> child input -> path of its value [2.8].', map('Child input -> path.', path), { examples: [{ find: { city: '$.input.city' }, book: { offer: '$.steps.find.output.offer' } }] }))),
    'x-literals': judged({ any: 'SVC9124' }, map('Step id -> child input -> value, the same in each call; an input has a path or a literal.', map('Child input -> value.', any('The value, of the type of the child input.')), { examples: [{ find: { limit: 10 } }] })),
    output_mapping: judged({ any: 'SVC9124' }, required(map('Parent output field -> path of its value [2.8].', path, { min: 1, codes: { few: 'SVC4113' }, examples: [{ booking: '$.steps.book.output.id' }] }))),
    failure_policy: judged({ any: 'SVC9127' }, required(oneOf('Effect of child failures on the parent: one word for all, or one for each outcome [2.8].', {
      scalar: outcome('For all four outcomes.'),
      map: object('One word for each outcome.', FAILURE_POLICY),
    }))),
    empty_result_policy: judged({ any: 'SVC9125' }, word('Result of an empty source result [2.8].', EMPTY_RESULT_POLICIES, { codes: { word: 'SVC4201' } })),
    empty_result_output: judged({ any: 'SVC9126' }, map('The parent output on empty-result success [2.8].', any('A literal, or a path.'))),
    audit_policy: judged({ fields: {} }, required(object('Child invocation linkage and task lineage [2.8].', AUDIT_POLICY))),
  },
} // prettier-ignore
