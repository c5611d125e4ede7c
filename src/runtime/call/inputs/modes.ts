import { sameJson } from '../../json/same-json.js'
import type { Input, Json } from '../../../protocol/manifest.js'
import type { ResolutionMode } from '../../../protocol/words.js'
import { inTrouble } from './behaviours.js'
import { refused, value, type InputOutcome } from './outcome.js'
import type { ValueSources } from './sources.js'

type Mode = (input: Input, given: Json | undefined, sources: ValueSources) => InputOutcome | Promise<InputOutcome>

const missing = (input: Input, sources: ValueSources) => inTrouble(input, { reason: 'missing' }, sources)

/** The caller's value, or what happens when it is missing. */
const explicit: Mode = (input, given, sources) => (given === undefined ? missing(input, sources) : value(given))

const closed: Mode = (input, given, sources) => {
  if (given === undefined) return missing(input, sources)
  if (input.allowed_values?.some((each) => sameJson(each, given))) return value(given)
  if (input.resolution?.on_unresolved === undefined) return value(given)
  return inTrouble(input, { reason: 'unresolved', ...candidatesOf(input) }, sources)
}

const candidatesOf = ({ allowed_values }: Input) => (allowed_values === undefined ? {} : { candidates: allowed_values })

const resolved: Mode = async (input, given, sources) => {
  if (given === undefined) return missing(input, sources)
  const answer = await sources.fromResolver(input, given)
  if ('value' in answer) return value(answer.value)
  if ('ambiguous' in answer) return inTrouble(input, { reason: 'ambiguous', candidates: answer.ambiguous }, sources)
  return inTrouble(input, { reason: 'unresolved' }, sources)
}

const fromActor: Mode = async (input, given, sources) => {
  if (given !== undefined) return refused(`${input.name} is set by policy and may not be sent`)
  const found = await sources.fromActor(input)
  return found === undefined ? missing(input, sources) : value(found)
}

const fromActorUnlessGiven: Mode = (input, given, sources) =>
  given === undefined ? fromActor(input, given, sources) : value(given)

/** Derivation of a value, for each mode (section 2.6). */
export const MODES: { readonly [mode in ResolutionMode]: Mode } = {
  closed_values: closed,
  backend_resolved: resolved,
  actor_policy: fromActor,
  actor_policy_or_explicit: fromActorUnlessGiven,
  app_selected: explicit,
  explicit_only: explicit,
  clarify: resolved,
}

/** The outcome of one input: resolution first, then default, then required (decisions, section 4). */
export function outcomeOf(
  input: Input,
  given: Json | undefined,
  sources: ValueSources,
): InputOutcome | Promise<InputOutcome> {
  const mode = input.resolution?.mode
  return mode === undefined ? explicit(input, given, sources) : MODES[mode](input, given, sources)
}
