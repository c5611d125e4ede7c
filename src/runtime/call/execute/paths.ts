import type { Json, JsonObject } from '../../../protocol/manifest.js'

/** Step id -> output. */
export type Outputs = ReadonlyMap<string, JsonObject>

const INPUT = /^\$\.input\.([a-zA-Z_][a-zA-Z0-9_]*)$/u
const STEP = /^\$\.steps\.([a-zA-Z_][a-zA-Z0-9_]*)\.output\.([a-zA-Z_][a-zA-Z0-9_]*)$/u

/**
 * The value at `$.input.<name>` or `$.steps.<id>.output.<field>`: own properties only, null where there is none
 * (section 2.8).
 */
export function valueAtPath(path: string, inputs: JsonObject, outputs: Outputs): Json {
  const input = INPUT.exec(path)
  if (input !== null) return own(inputs, input[1]!)
  const [, step, field] = STEP.exec(path) ?? []
  const output = step === undefined ? undefined : outputs.get(step)
  return output === undefined || field === undefined ? null : own(output, field)
}

/** Returns the output of an empty result: literals, and the values at paths (section 2.8). */
export const filled = (values: JsonObject, inputs: JsonObject, outputs: Outputs): JsonObject =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isPath(value) ? valueAtPath(value, inputs, outputs) : value]),
  )

const isPath = (value: Json): value is string => typeof value === 'string' && (INPUT.test(value) || STEP.test(value))

const own = (values: JsonObject, name: string): Json => (Object.hasOwn(values, name) ? values[name]! : null)
