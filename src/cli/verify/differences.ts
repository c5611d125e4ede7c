import { canonicalText } from '../../crypto/json/canonical.js'
import type { Json, JsonObject } from '../../protocol/manifest.js'

const MOST = 20

/** Returns the JSON pointers (RFC 6901) at which two values differ, at most 20. */
export function differences(expected: Json, actual: Json): readonly string[] {
  const found = [...differencesAt('', expected, actual)]
  const rest = found.length - MOST
  return rest > 0 ? [...found.slice(0, MOST), `${rest} more members differ.`] : found
}

function* differencesAt(pointer: string, expected: Json | undefined, actual: Json | undefined): Generator<string> {
  if (expected === undefined) yield `${pointer} was added.`
  else if (actual === undefined) yield `${pointer} is missing.`
  else if (isContainer(expected) && isContainer(actual) && Array.isArray(expected) === Array.isArray(actual)) {
    const names = new Set([...Object.keys(expected), ...Object.keys(actual)])
    for (const name of names)
      yield* differencesAt(`${pointer}/${escaped(name)}`, memberOf(expected, name), memberOf(actual, name))
  } else if (canonicalText(expected) !== canonicalText(actual))
    yield `${pointer || 'The document'} is ${short(actual)}, expected ${short(expected)}.`
}

const isContainer = (value: Json): value is JsonObject | readonly Json[] => typeof value === 'object' && value !== null
const memberOf = (container: JsonObject | readonly Json[], name: string): Json | undefined =>
  Object.hasOwn(container, name) ? (container as JsonObject)[name] : undefined
const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

function short(value: Json): string {
  const text = canonicalText(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
