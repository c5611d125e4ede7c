import type { Shape } from './field.js'

/** Words that are looked for in a manifest and are no field of it, by the object -> where what they mean is said. */
const ELSEWHERE: { readonly [title: string]: { readonly [name: string]: string } } = {
  capability: {
    budget:
      'A budget belongs to a token: who delegates gives it. Require one by ' +
      '`control_requirements: [{ type: cost_ceiling }]`; what a call costs is `cost`.',
    price: 'Declare the cost of a call in `cost`: `{ certainty: fixed, financial: { currency: EUR, amount: 5 } }`.',
    parameters: 'Declare the inputs of a call in `inputs`, a list of `{ name, type }`.',
    returns: 'Declare the result of a call in `output`: `{ type: order, fields: [order_id] }`.',
    failures: 'The failures of a handler are `x-failures`: `{ order_unknown: There is no such order. }`.',
    errors: 'The failures of a handler are `x-failures`: `{ order_unknown: There is no such order. }`.',
  },
  input: {
    optional: 'Write `required: false`.',
    nullable: 'Write `required: false`: null counts as absent.',
    min: 'Write `x-schema: { minimum: … }` for numbers, `minLength` for texts, `minItems` for lists.',
    max: 'Write `x-schema: { maximum: … }` for numbers, `maxLength` for texts, `maxItems` for lists.',
    regex: 'Write `x-schema: { pattern: … }`.',
    example: 'Say it in `description`, or write `x-schema: { examples: […] }`.',
    examples: 'Say it in `description`, or write `x-schema: { examples: […] }`.',
  },
  'approval condition': {
    amount: 'Compare the cost of a call with `{ cost: { above: 500 } }`, an input with `{ input: days, above: 30 }`.',
    price: 'Compare the cost of a call with `{ cost: { above: 500 } }`.',
  },
  approval: {
    quorum: 'Set the number of different approvers in `approvers`.',
  },
  manifest: {
    budget: 'A budget belongs to a token: who delegates gives it. A capability requires one by `control_requirements`.',
  },
}

/** Suggests a replacement for an unknown field, as a sentence after a space; undefined if none is known. */
export function insteadOf({ title }: Shape, name: string): string | undefined {
  const words = ELSEWHERE[title] ?? {}
  return Object.hasOwn(words, name) ? ` ${words[name]}` : undefined
}
