import type { ClarificationInput } from '../../../protocol/failures.js'
import type { Input, Json, JsonObject } from '../../../protocol/manifest.js'
import { inputMayBeNull } from '../../../protocol/presence.js'
import { present } from '../../json/present.js'

/** Outcome of one input: a value, nothing, a question to the caller, or a reason to refuse. */
export type InputOutcome =
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'omitted' }
  | { readonly kind: 'clarify'; readonly question: ClarificationInput }
  | { readonly kind: 'refused'; readonly problem: string }

/** Reason why a value is missing. */
export interface Trouble {
  readonly reason: ClarificationInput['reason']
  readonly candidates?: readonly Json[]
}

export const value = (given: Json): InputOutcome => ({ kind: 'value', value: given })
export const OMITTED: InputOutcome = { kind: 'omitted' }
export const refused = (problem: string): InputOutcome => ({ kind: 'refused', problem })

/** A question to the caller, with all that the manifest says about the input (decisions, section 4). */
export const questionOf = (input: Input, { reason, candidates }: Trouble): ClarificationInput =>
  present({
    name: input.name,
    reason,
    description: input.description,
    allowed_values: input.allowed_values,
    candidates,
    catalog_ref: input.catalog_ref,
    input_meanings: input.input_meanings,
  })

export const clarify = (input: Input, trouble: Trouble): InputOutcome => ({
  kind: 'clarify',
  question: questionOf(input, trouble),
})

const TROUBLE: { readonly [reason in Trouble['reason']]: string } = {
  missing: 'is required',
  ambiguous: 'matches several values',
  unresolved: 'could not be resolved',
}

export const refusedFor = (input: Input, { reason }: Trouble): InputOutcome =>
  refused(`${input.name} ${TROUBLE[reason]}`)

/** The caller's own value; null is none, unless the input takes it (decisions, section 21). */
export const givenValue = (parameters: JsonObject, input: Input): Json | undefined => {
  const given = Object.hasOwn(parameters, input.name) ? parameters[input.name] : undefined
  return given === null && !inputMayBeNull(input) ? undefined : given
}
