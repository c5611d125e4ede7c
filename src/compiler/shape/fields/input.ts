import { RESOLUTION_BEHAVIOURS, RESOLUTION_MODES } from '../../../protocol/words.js'
import { required, type Shape } from '../field.js'
import { any, flag, list, map, object, oneOf, text, word } from '../kinds.js'

export const RESOLUTION: Shape = {
  title: 'resolution',
  scalarMeans: 'mode',
  fields: {
    mode: required(word('How the value comes about [2.6].', RESOLUTION_MODES, { codes: { word: 'SVC2402' } }), 'SVC2401'),
    resolver_ref: text('Identifier of a resolver or catalog; never a location or a secret [2.6].', { format: 'reference', codes: { format: 'SVC2418' } }),
    on_missing: word('What happens when the value is omitted [2.6].', RESOLUTION_BEHAVIOURS, { codes: { word: 'SVC2406' } }),
    on_ambiguous: word('What happens when several candidates match [2.6].', RESOLUTION_BEHAVIOURS, { codes: { word: 'SVC2406' } }),
    on_unresolved: word('What happens when no candidate resolves [2.6].', RESOLUTION_BEHAVIOURS, { codes: { word: 'SVC2406' } }),
  },
} // prettier-ignore

const MEANING: Shape = {
  title: 'input meaning',
  fields: {
    value: required(any('The value that is explained.')),
    label: required(text('What the value means, in a few words.')),
    description: text('What the value means, at length.', { mayBeBlank: true }),
  },
}

export const INPUT: Shape = {
  title: 'input',
  scalarMeans: 'name',
  fields: {
    name: required(text('Parameter name [2.5].', { format: 'identifier', examples: ['quote_id'], codes: { format: 'SVC2003' } })),
    type: required(text('Semantic type: one of string, integer, number, boolean, date, datetime, duration, object, array, uri, email, uuid, or a domain type, which is treated as a string [2.5].', { examples: ['string', 'integer', 'date', 'airport_code'] })),
    required: flag('Whether the caller must supply the value; default true [2.5].'),
    default: any('The value when none is given [2.5].'),
    description: text('What the parameter is, for callers and for agents [2.5].', { mayBeBlank: true }),
    semantic_type: text('Typed hint, such as entity_reference, scope, time_window, or a domain name [2.5].', { examples: ['entity_reference', 'time_window'] }),
    entity_reference: flag('The input names a concrete entity that may need resolution [2.5].'),
    allowed_values: list('Closed set of values; required when resolution.mode is closed_values [2.5].', any('An allowed value.'), { min: 1, distinct: true, codes: { few: 'SVC2302' } }),
    catalog_ref: text('Identifier of a catalog that resolves values: an identity, not an inline list [2.5].', { format: 'reference', examples: ['crm.account_catalog'], codes: { format: 'SVC2311' } }),
    input_meanings: oneOf('What values mean: value -> text, or a list of {value, label, description} [2.5].', {
      map: map('Value -> what it means.', text('What the value means.')),
      list: list('The meanings.', object('One value and its meaning.', MEANING)),
    }),
    resolution: object('How the value comes about, before any heuristic [2.6].', RESOLUTION),
    'x-schema': any('What is inside the value: JSON Schema 2020-12 of a closed list of keywords. It narrows the type.', { mayBeNull: true, examples: [{ type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'], additionalProperties: false }] }),
  },
} // prettier-ignore
