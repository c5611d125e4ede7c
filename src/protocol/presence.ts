import type { Capability, Input, Json, JsonObject, OutputField } from './manifest.js'
import type { ResolutionBehaviour } from './words.js'

/** The service uses another value, or asks. */
const MAY_BE_LEFT_OUT: readonly ResolutionBehaviour[] = [
  'use_default',
  'use_actor_scope',
  'clarify',
  'app_select_or_clarify',
]

/** Holds when nothing but the caller or a declared behaviour may supply the value (section 2.6). */
const infersNothing = ({ resolution }: Input): boolean =>
  resolution?.mode === 'app_selected' || resolution?.mode === 'explicit_only'

/** Holds when a missing value is asked for, although no behaviour says so. */
const isAskedFor = ({ resolution }: Input): boolean =>
  resolution?.mode === 'clarify' && resolution.on_missing === undefined

const defaultApplies = (input: Input): boolean => input.default !== undefined && !infersNothing(input)

/** Holds when a caller may send the input at all; under `actor_policy` only the service sets it. */
export const callerMaySend = ({ resolution }: Input): boolean => resolution?.mode !== 'actor_policy'

/** Holds when a call without the input is no mistake: it can succeed, or the service asks for the value. */
export function callerMayOmit(input: Input): boolean {
  const behaviour = input.resolution?.on_missing
  if (input.resolution?.mode === 'actor_policy_or_explicit') return true
  if (behaviour === 'omit') return !input.required
  if (behaviour !== undefined) return MAY_BE_LEFT_OUT.includes(behaviour)
  return !input.required || isAskedFor(input) || defaultApplies(input)
}

/** Holds when the runtime never calls a handler without the input. */
export function handlerAlwaysHas(input: Input): boolean {
  const behaviour = input.resolution?.on_missing
  if ((behaviour !== undefined && behaviour !== 'omit') || isAskedFor(input)) return true
  return input.required || (behaviour === undefined && defaultApplies(input))
}

/** Holds when the service replaces what the caller sends, so that a caller may send more than the closed values. */
export const isResolved = ({ resolution }: Input): boolean =>
  resolution?.mode === 'backend_resolved' || resolution?.mode === 'clarify'

/**
 * Holds when null counts beside values of the field's type: where its type says so (section 2.4), and in a composition,
 * where a step may give no value (section 2.8).
 */
export const fieldMayBeNull = (field: OutputField, kind: Capability['kind']): boolean =>
  (field.type !== 'any' || field['x-schema'] !== undefined) && (field.nullable === true || kind === 'composed')

/** Holds when null is a value of an input, and not the lack of one: the input takes any type, and its schema names null. */
export const inputMayBeNull = ({ type, 'x-schema': schema }: Input): boolean =>
  type === 'any' && (schema === undefined || namesNull(schema))

const namesNull = ({ type, enum: values, anyOf, oneOf }: JsonObject): boolean =>
  [type].flat().includes('null') ||
  (Array.isArray(values) && values.includes(null)) ||
  [anyOf, oneOf].some((list) => Array.isArray(list) && list.some((each) => isRecord(each) && namesNull(each)))

const isRecord = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
