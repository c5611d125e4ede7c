/** Judges of values that a service served, by paths and kinds. */
import { isDeepStrictEqual } from 'node:util'

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const matching = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value)

const KINDS: { readonly [kind: string]: (value: unknown) => boolean } = {
  string: isText,
  strings: (value) => Array.isArray(value) && value.every(isText),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  list: Array.isArray,
  array: (value) => Array.isArray(value) && value.length > 0,
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: Number.isSafeInteger,
  null: (value) => value === null,
  'text-or-null': (value) => value === null || isText(value),
  timestamp: matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/u),
  duration: matching(/^P(?=.)(?:\d+[YMWD])*(?:T(?:\d+[HMS])+)?$/u),
  version: matching(/^\d+\.\d+\.\d+$/u),
  digest: matching(/^sha256:[0-9a-f]{64}$/u),
  base64url: matching(/^[\w-]+$/u),
  jwt: matching(/^[\w-]+\.[\w-]+\.[\w-]+$/u),
  principal: matching(/^(?:human|agent|service|oidc):\S+$/u),
}

/** All values at a path; undefined for each that is missing, unless its member ends in `?`. */
function valuesAt(value: unknown, [name, ...rest]: readonly string[]): readonly unknown[] {
  if (name === undefined) return [value]
  const members = (typeof value === 'object' && value !== null ? value : {}) as { readonly [name: string]: unknown }
  if (name === '*')
    return value === undefined ? [undefined] : Object.values(members).flatMap((each) => valuesAt(each, rest))
  const isOptional = name.endsWith('?')
  const own = isOptional ? name.slice(0, -1) : name
  if (!Object.hasOwn(members, own)) return isOptional ? [] : [undefined]
  return valuesAt(members[own], rest)
}

/** Holds for a value of a kind: a name, `=text`, `==json`, `/pattern/`, `in:a,b`, `!member` that is absent. */
function isOf(kind: string, value: unknown): boolean {
  if (kind.startsWith('==')) return isDeepStrictEqual(value, JSON.parse(kind.replace(/^=+/u, '')))
  if (kind.startsWith('=')) return String(value) === kind.slice(1)
  if (kind.startsWith('/')) return new RegExp(kind.slice(1, -1), 'u').test(String(value))
  if (kind.startsWith('in:')) return kind.slice(3).split(',').includes(String(value))
  if (kind.startsWith('!')) return typeof value === 'object' && value !== null && !Object.hasOwn(value, kind.slice(1))
  const test = KINDS[kind]
  if (test === undefined) throw new Error(`there is no kind ${kind}`)
  return test(value)
} // prettier-ignore

/** Returns what is wrong at a path; undefined if every value there is of the kind, and there is one. */
export function wrongAt(collected: object, path: string, kind: string): string | undefined {
  const values = valuesAt(collected, path.split('.'))
  if (values.length === 0) return `${path}: there is none`
  if (kind.startsWith('some:'))
    return values.map(String).includes(kind.slice(5)) ? undefined : `${path}: none is ${kind.slice(5)}`
  const at = values.findIndex((value) => !isOf(kind, value))
  return at === -1
    ? undefined
    : `${path} is ${JSON.stringify(values[at])?.slice(0, 120) ?? 'missing'}, expected ${kind}`
}
