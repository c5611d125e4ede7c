import type { BlockTexts, FieldText } from './field-text.js'

const BEHAVIOURS = {
  clarify:
    'The caller reads `clarification_required`, with the question: description, allowed values or candidates. ' +
    'Nothing has happened.',
  use_default: 'The handler gets `default`; the caller notices nothing.',
  use_actor_scope:
    'The handler gets what the actor policy derives from the token; where it derives nothing, the caller reads ' +
    '`invalid_parameters`.',
  app_select_or_clarify: 'As `clarify`: the application lets a person choose among the candidates, or asks.',
  deny: 'The caller reads `invalid_parameters`.',
  deny_or_clarify: 'As `clarify` for a capability that only reads, else as `deny`.',
  omit: 'The handler gets no value. Only for an optional input; a required one is `invalid_parameters`.',
}
const behaviour = (when: string, otherwise: string): FieldText => ({
  atRunTime: when,
  default: otherwise,
  words: BEHAVIOURS,
})

/** Descriptions of the fields of an input. */
export const INPUT_TEXTS: BlockTexts = {
  input: {
    name: 'The member of `parameters`, and of the type in handler and client.',
    type:
      'A value of another type is `invalid_parameters`, before approval and budget. A domain type is checked as a ' +
      'string.',
    required: {
      atRunTime:
        'A call without a required input is `invalid_parameters`, unless `resolution` says otherwise. Null ' +
        'counts as absent.',
      default: '`true`',
    },
    default: {
      atRunTime:
        'The handler gets it where the caller sends nothing; never in the modes `explicit_only` and `app_selected`.',
      default: 'none',
    },
    description: 'In the tool, in OpenAPI, and in the question where the value is asked for.',
    semantic_type: 'Agents read it; nothing is enforced.',
    entity_reference: { atRunTime: 'Agents read it; nothing is enforced.', default: '`false`' },
    allowed_values:
      'Another value is `invalid_parameters`; the types of handler and client are these very values. Where the ' +
      'service resolves the value, what it resolved to is checked.',
    catalog_ref:
      'The resolver of this name is asked, where `resolver_ref` names none; it stands in the question to the caller.',
    input_meanings: 'In the tool, in the comments of types, and in the question to the caller.',
    resolution:
      'Decides where the value comes from. Without it: from the caller, else from `default`, else it is missing.',
    'x-sensitive': {
      atRunTime:
        'An approver sees that there is such a value, and not the value; `fields_logged` does not keep it. The handler ' +
        'gets it, and the digest of the parameters covers it.',
      default: '`false`: an approver sees the value if there is no preview',
    },
    'x-schema':
      'What is inside the value is checked when it is known, before approval and budget; a fault is named by its ' +
      'JSON pointer, such as `/order/lines/0/quantity must be at least 1`.',
  },
  'input meaning': {
    value: 'Value that it describes.',
    label: 'Shown beside the value.',
    description: 'Shown in the question to the caller.',
  },
  resolution: {
    mode: {
      atRunTime: 'Decides where the value comes from.',
      words: {
        closed_values:
          'From the caller, one of `allowed_values`. Another value is what `on_unresolved` says, else ' +
          '`invalid_parameters`.',
        backend_resolved:
          'The caller sends what a person would say, and the resolver gives the value that is meant: one, ' +
          'several (`on_ambiguous`) or none (`on_unresolved`).',
        actor_policy:
          'From the actor policy only. A caller that sends it reads `invalid_parameters`: it cannot choose for ' +
          'whom it acts.',
        actor_policy_or_explicit: 'From the caller, else from the actor policy.',
        app_selected:
          'From the caller, whose application lets a person choose. Nothing is inferred, no default applies.',
        explicit_only: 'From the caller, and nowhere else: no default, nothing inferred.',
        clarify: 'From the caller, through the resolver if there is one; whatever is unclear is asked for.',
      },
    },
    resolver_ref:
      'The function of this name in `resolvers` of `createService` is called with the value. In the mode ' +
      '`backend_resolved` a service does not start without it.',
    on_missing: behaviour(
      'Behaviour if the caller sends nothing, or null.',
      '`default`, where it applies; an optional input is left out; a required one is asked for in the modes ' +
        'closed_values, backend_resolved, app_selected and clarify, else `invalid_parameters`',
    ),
    on_ambiguous: behaviour('When the resolver finds several values.', '`clarify`'),
    on_unresolved: behaviour('When the resolver finds none, or the value is not among the closed ones.', '`deny`'),
  },
}
