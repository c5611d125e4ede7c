import type { ParameterStyle } from '../../protocol/upstream-requests.js'

/** How a style writes: RFC 6570, 3.2.1, and the delimiters that OpenAPI adds. */
interface StyleRow {
  readonly first: string
  /** Between parts where each value is a part. */
  readonly separator: string
  /** Between values that are one part: a comma, or a mark that is encoded as they are. */
  readonly joiner: string
  readonly isNamed: boolean
  /** After a name without a value. */
  readonly ifEmpty: string
}

const row = (separator: string, joiner: string, isNamed: boolean, first = '', ifEmpty = '='): StyleRow => ({
  first,
  separator,
  joiner,
  isNamed,
  ifEmpty,
})

const ROWS: { readonly [style in Exclude<ParameterStyle, 'deepObject'>]: StyleRow } = {
  simple: row(',', ',', false),
  label: row('.', ',', false, '.'),
  matrix: row(';', ',', true, ';', ''),
  form: row('&', ',', true),
  spaceDelimited: row('&', ' ', true),
  pipeDelimited: row('&', '|', true),
  tabDelimited: row('&', '\t', true),
  cookie: row('; ', ',', true),
}

/** A value as one style writes it; undefined where nothing is written: for null, and for what has no members. */
export interface Serializing {
  readonly name: string
  readonly style: ParameterStyle
  readonly explode: boolean
  readonly encode: (text: string) => string
  /** Left out in a place that has no names, such as a path. */
  readonly isNamed?: boolean
}

export function serialized(value: unknown, serializing: Serializing): string | undefined {
  const { name, style, explode, encode } = serializing
  if (value === null || value === undefined) return undefined
  if (style === 'deepObject') return joined(deepPairs(encode(name), value, encode), '&')
  const { first, separator, joiner, ifEmpty, isNamed } = { ...ROWS[style], ...namedBy(serializing) }
  const pair = (key: string, text: string): string => `${encode(key)}${text === '' ? ifEmpty : `=${encode(text)}`}`
  if (!isStructure(value)) return first + (isNamed ? pair(name, textOf(value)) : encode(textOf(value)))
  const isList = Array.isArray(value)
  const members = Object.entries(value).filter(([, each]) => each !== null && each !== undefined)
  if (members.length === 0) return undefined
  if (explode && isList && isNamed) return first + members.map(([, each]) => pair(name, textOf(each))).join(separator)
  if (explode && !isList) return first + members.map(([key, each]) => pair(key, textOf(each))).join(separator)
  const texts = members.flatMap(([key, each]) => (isList ? [textOf(each)] : [key, textOf(each)])).map(encode)
  return (
    first +
    (isNamed ? `${encode(name)}=` : '') +
    texts.join(explode ? separator : joiner === ',' ? joiner : encode(joiner))
  )
}

const namedBy = ({ isNamed }: Serializing): Partial<StyleRow> => (isNamed === undefined ? {} : { isNamed })

const joined = (parts: readonly string[], separator: string): string | undefined =>
  parts.length === 0 ? undefined : parts.join(separator)

/**
 * `filter[eq]=a`. A list inside repeats its name, and one that holds objects or lists has numbers, so that the members of
 * each stay together. Brackets are not allowed in a query as they are (RFC 3986).
 */
function deepPairs(key: string, value: unknown, encode: (text: string) => string): readonly string[] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) {
    const isNumbered = value.some(isStructure)
    return value.flatMap((each, index) => deepPairs(isNumbered ? `${key}%5B${index}%5D` : key, each, encode))
  }
  if (!isStructure(value)) return [`${key}=${encode(textOf(value))}`]
  return Object.entries(value).flatMap(([name, each]) => deepPairs(`${key}%5B${encode(name)}%5D`, each, encode))
}

const isStructure = (value: unknown): value is object => typeof value === 'object' && value !== null

/** A value inside a list or an object of a parameter, where no style says more, is JSON text. */
export const textOf = (value: unknown): string => (isStructure(value) ? JSON.stringify(value) : String(value))

/** All but unreserved characters (RFC 3986, 2.3). */
export const percentEncoded = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*]/gu,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Reserved characters stay, save those that would end or begin a parameter. */
export const reservedKept = (text: string): string =>
  percentEncoded(text).replaceAll(/%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/gu, decodeURIComponent)
