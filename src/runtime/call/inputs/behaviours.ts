import type { Json } from '../../../protocol/manifest.js'
import type { Input } from '../../../protocol/manifest.js'
import type { ResolutionBehaviour, ResolutionMode } from '../../../protocol/words.js'
import { clarify, OMITTED, refusedFor, value, type InputOutcome, type Trouble } from './outcome.js'
import type { ValueSources } from './sources.js'

type Behaviour = (input: Input, trouble: Trouble, sources: ValueSources) => InputOutcome | Promise<InputOutcome>

/** Behaviour for a missing, ambiguous or unresolved value (section 2.6). */
const BEHAVIOURS: { readonly [behaviour in ResolutionBehaviour]: Behaviour } = {
  clarify,
  use_default: (input, trouble) => (input.default === undefined ? refusedFor(input, trouble) : value(input.default)),
  use_actor_scope: async (input, trouble, sources) =>
    valueOr(await sources.fromActor(input), refusedFor(input, trouble)),
  app_select_or_clarify: clarify,
  deny: refusedFor,
  deny_or_clarify: (input, trouble, { harmless }) => (harmless ? clarify(input, trouble) : refusedFor(input, trouble)),
  omit: (input, trouble) => (input.required ? refusedFor(input, trouble) : OMITTED),
}

const valueOr = (found: Json | undefined, otherwise: InputOutcome): InputOutcome =>
  found === undefined ? otherwise : value(found)

/** Does what the manifest says about a trouble; where it says nothing, what its mode implies. */
export function inTrouble(input: Input, trouble: Trouble, sources: ValueSources): InputOutcome | Promise<InputOutcome> {
  const declared = input.resolution?.[`on_${trouble.reason}`]
  if (declared !== undefined) return BEHAVIOURS[declared](input, trouble, sources)
  if (trouble.reason === 'missing') return undeclaredMissing(input, trouble)
  return trouble.reason === 'ambiguous' ? clarify(input, trouble) : refusedFor(input, trouble)
}

const INFERS_NOTHING: ReadonlySet<ResolutionMode> = new Set(['app_selected', 'explicit_only'])
const ASKS: ReadonlySet<ResolutionMode> = new Set(['clarify', 'app_selected', 'closed_values', 'backend_resolved'])

function undeclaredMissing(input: Input, trouble: Trouble): InputOutcome {
  const mode = input.resolution?.mode
  if (mode === 'clarify') return clarify(input, trouble)
  const mayInfer = mode === undefined || !INFERS_NOTHING.has(mode)
  if (mayInfer && input.default !== undefined) return value(input.default)
  if (!input.required) return OMITTED
  return mode !== undefined && ASKS.has(mode) ? clarify(input, trouble) : refusedFor(input, trouble)
}
