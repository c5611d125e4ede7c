import { RESOLUTION_BEHAVIOURS, RESOLUTION_MODES } from '../../../protocol/words.js'
import { judged, required, type ManifestShape } from '../field.js'
import { any, flag, list, map, object, oneOf, text, word } from '../kinds.js'

export const RESOLUTION: ManifestShape = {
  title: 'resolution',
  scalarMeans: 'mode',
  fields: {
    mode: judged({ judge: 'resolutionMode', kinds: ['SVC9036', 'SVC9037'] }, required(word('Way to determine the value [2.6].', RESOLUTION_MODES, { codes: { word: 'SVC2402' } }), 'SVC2401')),
    resolver_ref: judged({ any: 'SVC9030' }, text('Identifier of a resolver or catalog; never a location or a secret [2.6].', { format: 'reference', codes: { format: 'SVC2418' } })),
    on_missing: judged({ judge: 'onMissing', kinds: ['SVC9038', 'SVC9039', 'SVC9040'] }, word('Behaviour if the value is omitted [2.6].', RESOLUTION_BEHAVIOURS, { codes: { word: 'SVC2406' } })),
    on_ambiguous: judged({ judge: 'onFailure', kinds: ['SVC9040'] }, word('Behaviour if several candidates match [2.6].', RESOLUTION_BEHAVIOURS, { codes: { word: 'SVC2406' } })),
    on_unresolved: judged({ judge: 'onFailure', kinds: ['SVC9040'] }, word('Behaviour if no candidate matches [2.6].', RESOLUTION_BEHAVIOURS, { codes: { word: 'SVC2406' } })),
  },
} // prettier-ignore

const MEANING: ManifestShape = {
  title: 'input meaning',
  fields: {
    value: judged(
      { with: 'input_meanings', kinds: ['SVC9028', 'SVC9201'] },
      required(any('The value that is explained.')),
    ),
    label: judged(
      { with: 'input_meanings', kinds: ['SVC9028'] },
      required(text('Meaning of the value, in a few words.')),
    ),
    description: judged(
      { with: 'input_meanings', kinds: ['SVC9028'] },
      text('Meaning of the value, in detail.', { mayBeBlank: true }),
    ),
  },
}

export const INPUT: ManifestShape = {
  title: 'input',
  scalarMeans: 'name',
  fields: {
    name: judged({ with: 'inputs', kinds: ['SVC9011', 'SVC9012', 'SVC9013', 'SVC9016'] }, required(text('Parameter name [2.5].', { format: 'identifier', examples: ['quote_id'], codes: { format: 'SVC2003' } }))),
    type: judged({ judge: 'inputType', kinds: ['SVC9017', 'SVC9018'] }, required(text('Semantic type: one of string, integer, number, boolean, date, datetime, duration, object, array, uri, email, uuid, or a domain type, which is treated as a string [2.5].', { examples: ['string', 'integer', 'date', 'airport_code'] }))),
    required: judged({ on: 'SVC9015', off: 'SVC9014', absent: true }, flag('True if the caller must supply the value; the default [2.5].')),
    default: judged({ judge: 'default', kinds: ['SVC9019', 'SVC9020', 'SVC9021'] }, any('The value when none is given [2.5].')),
    description: judged({ any: 'SVC9023' }, text('Description of the parameter, for callers and agents [2.5].', { mayBeBlank: true })),
    semantic_type: judged({ added: 'SVC9023', removed: 'SVC9031', changed: 'SVC9031' }, text('Typed hint, such as entity_reference, scope, time_window, or a domain name [2.5].', { examples: ['entity_reference', 'time_window'] })),
    entity_reference: judged({ on: 'SVC9032', off: 'SVC9033', absent: false }, flag('The input names a concrete entity that may need resolution [2.5].')),
    allowed_values: judged({ judge: 'allowedValues', kinds: ['SVC9024', 'SVC9025', 'SVC9026', 'SVC9027'] }, list('Closed set of values; required when resolution.mode is closed_values [2.5].', any('An allowed value.'), { min: 1, distinct: true, codes: { few: 'SVC2302' } })),
    catalog_ref: judged({ any: 'SVC9029' }, text('Identifier of a catalog that resolves values: an identity, not an inline list [2.5].', { format: 'reference', examples: ['crm.account_catalog'], codes: { format: 'SVC2311' } })),
    input_meanings: judged({ judge: 'meanings', kinds: ['SVC9028', 'SVC9201'] }, oneOf('Meanings of values: value -> text, or a list of {value, label, description} [2.5].', {
      map: map('Value -> its meaning.', text('Meaning of the value.')),
      list: list('The meanings.', object('One value and its meaning.', MEANING)),
    })),
    resolution: judged({ judge: 'resolution', kinds: ['SVC9034', 'SVC9035'] }, object('Resolution of the value, before any heuristic [2.6].', RESOLUTION)),
    'x-sensitive': judged({ on: 'SVC9268', off: 'SVC9269', absent: false }, flag('Hides the value from approvers, the audit trail and messages; the handler and the digest have it.')),
    'x-schema': judged({ judge: 'inputSchema', kinds: ['SVC9227', 'SVC9253'] }, any('What is inside the value: JSON Schema 2020-12 of a closed list of keywords. It narrows the type.', { mayBeNull: true, examples: [{ type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'], additionalProperties: false }] })),
  },
} // prettier-ignore
