/**
 * Members that a response must have for its type to be true: a service that breaks its type gives a clear error, not
 * a `TypeError` later.
 */
type Kind = 'string' | 'list' | 'object'

/** Member -> what it is; with `?`, where it is there at all. */
export type AnswerShape = { readonly [member: string]: Kind | `${Kind}?` }

export const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const hasShape = (value: unknown, shape: AnswerShape): value is { readonly [name: string]: unknown } =>
  isObject(value) &&
  Object.entries(shape).every(([member, kind]) =>
    value[member] === undefined ? kind.endsWith('?') : kindOf(value[member]) === kind.replace('?', ''),
  )

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'list' : isObject(value) ? 'object' : typeof value)

/** Deeper JSON would exhaust the stack of whoever walks it; the service itself writes up to 512 levels. */
const MAX_DEPTH = 1000

/** The JSON of a text that nests no deeper than anybody could walk. */
export function parseShallow(text: string): unknown {
  let [depth, isString] = [0, false]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) isString = !isString
    else if (isString) at += code === BACKSLASH ? 1 : 0
    else if (code === OPEN_LIST || code === OPEN_OBJECT) depth += 1
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1
    if (depth > MAX_DEPTH) throw new SyntaxError(`JSON of more than ${MAX_DEPTH} levels`)
  }
  return JSON.parse(text)
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [34, 92, 91, 93, 123, 125]
