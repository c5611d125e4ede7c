import { CHECKED_INPUT_TYPES } from '../../protocol/words.js'
import { referencePath } from './reference-path.js'

/** A word of messages and guides that no table of the manifest has: what it means, and the page with more. */
interface Concept {
  readonly kind: string
  readonly text: string
  readonly page: string
}

const TOKEN: Pick<Concept, 'kind' | 'page'> = { kind: 'of a token', page: 'interface/tokens.md' }
const HANDLER: Pick<Concept, 'kind' | 'page'> = { kind: 'of a handler', page: 'guides/handlers.md' }

const CONCEPTS: { readonly [word: string]: Concept } = {
  budget: {
    ...TOKEN,
    text:
      'The most that may be spent, in one currency: `{ currency, max_amount, mode }`. It belongs to a token, not to a ' +
      'capability: who delegates gives it (`svc token issue --budget 500:EUR`). `mode: per_invocation`, the default, ' +
      'bounds each call; `cumulative` all calls under the token and its children together. Before a call runs, its ' +
      'checked cost must be covered, else it is `budget_exceeded`. A capability says what a call costs by `cost`, and ' +
      'requires a budget by `control_requirements: [{ type: cost_ceiling }]`.',
  },
  cumulative: {
    ...TOKEN,
    text:
      'A mode of a budget: it bounds all calls under the token and its children together. What a running call may cost ' +
      'is held, and given back as far as the call cost less. In a request `"budget": { …, "mode": "cumulative" }`, of ' +
      '`svc token issue` the option `--cumulative`. The other mode is `per_invocation`.',
  },
  per_invocation: {
    ...TOKEN,
    text: 'The default mode of a budget: it bounds each call by itself, however many there are. The other mode is `cumulative`.',
  },
  concurrent_branches: {
    ...TOKEN,
    text:
      'Whether calls may run at the same time under a token and its children: `allowed`, the default, or `exclusive`. ' +
      '`svc explain exclusive` says what that is, and what it is not.',
  },
  exclusive: {
    ...TOKEN,
    text:
      'A value of `concurrent_branches`: one call at a time runs under the token and its children, over all replicas; ' +
      'another one is `concurrent_request_rejected`. It is no lock on what a call works on: a token that was bought apart ' +
      'calls at the same time. An example: two workers have a token each, below an exclusive one. While the first books, ' +
      'the second is refused, even for another flight; the worker of somebody else books the same flight meanwhile. What ' +
      'must not happen twice to one thing is `x-exclusive-by` of the capability.',
  },
  delegate: {
    ...TOKEN,
    text:
      'To give another a token with a part of what one’s own token allows: less, or the same, never more. ' +
      '`svc token issue` and `delegate` of the client ask for it. The chain goes back to its root principal, who answers for it.',
  },
  binding: {
    ...HANDLER,
    text:
      'Something that the service issued and a later call names by its id: a quote, whose price then holds. The capability ' +
      'that issues it calls `bindings.issue`; the one that needs it declares `requires_binding`, and reads it as ' +
      '`bound.<input>`. The caller only carries the id.',
  },
  quote: {
    ...HANDLER,
    text:
      'A price, and what it is for, that one capability gives and another one takes by its id: a binding with a price. ' +
      'The call that takes it costs that price, however long the choice took, until the quote ends (`max_age`). See ' +
      '`svc explain binding`, and `cost.determined_by`, which names the capability that quotes.',
  },
  'bindings.issue': {
    ...HANDLER,
    text:
      '`const quote_id = await bindings.issue({ type, price, data })`: of the context of a handler that a ' +
      '`requires_binding` names as `source_capability`. It keeps the binding and gives its id, which the handler returns: ' +
      'an id of the handler’s own is `binding_stale` for every caller. `price` is what a call of an estimated cost is ' +
      'checked against; without it such a call is `budget_not_enforceable`. `data` is anything that JSON keeps. How long ' +
      'it holds, the `max_age` of each capability that requires it says.',
  },
  BindingData: {
    ...HANDLER,
    text:
      'The types of what bindings carry, by the type of the binding, for TypeScript. Declared once, both ends are checked ' +
      'against it: `data` of `bindings.issue` and `bound.<input>.data`.\n\n' +
      "  declare module 'svc-kit/runtime' {\n    interface BindingData {\n      order_quote: { readonly lines: readonly string[] }\n    }\n  }",
  },
  bound: {
    ...HANDLER,
    text:
      '`bound.<input>`: the binding whose id the caller gave in that input, found genuine and fresh. Its `price` and `data` ' +
      'are what `bindings.issue` was given, never the caller’s word.',
  },
}

/** Values of each type of input and output field. */
const TYPES: { readonly [type in (typeof CHECKED_INPUT_TYPES)[number]]: string } = {
  string: 'Any text.',
  integer: 'A number without a fraction: `3`.',
  number: 'A number: `2.5`.',
  boolean: '`true` or `false`.',
  date: 'A day of the calendar: `2026-03-01`.',
  datetime:
    'A time with its offset, as RFC 3339 has it: `2026-03-01T12:00:00Z`. Within `x-schema` it is `type: string` with `format: date-time`.',
  duration: 'A duration, as ISO 8601 has it: `PT15M`, `P90D`.',
  object: 'Members with names; `x-schema` says which.',
  array: 'A list; `x-schema` says of what.',
  uri: 'An absolute address: `https://example.com/a`.',
  email: 'An address of mail: `ana@example.com`.',
  uuid: 'An identifier of 36 characters: `6fa459ea-ee8a-4ca4-894e-db77e160355e`.',
}

/** Explains a concept; undefined for an unknown word. */
export function conceptExplanation(wanted: string): string | undefined {
  const word = WORDS.find((each) => each.toLowerCase() === wanted.toLowerCase())
  if (word === undefined) return undefined
  const { kind, text, page } = Object.hasOwn(CONCEPTS, word) ? CONCEPTS[word]! : typeConcept(word)
  return `# ${word}\n\n${kind}\n\n${text}\n\n${referencePath(page)}\n`
}

const typeConcept = (word: string): Concept => ({
  kind: 'a type of inputs and of output fields',
  text: `${TYPES[word as keyof typeof TYPES]} Any word that is no type here is a type of your own, whose values are texts.`,
  page: 'reference/manifest/input.md',
})

const WORDS: readonly string[] = [...Object.keys(CONCEPTS), ...CHECKED_INPUT_TYPES]

/** The names of all these, for a hint. */
export const conceptNames = (): readonly string[] => WORDS
