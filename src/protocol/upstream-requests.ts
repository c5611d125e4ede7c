/** Encoding of values in an upstream request: printed by `svc import openapi`, applied by the runtime. */

/** Styles of OpenAPI 3.2 (4.12.6.1); `tabDelimited` is `tsv` of Swagger 2.0. */
export type ParameterStyle =
  | 'form'
  | 'simple'
  | 'label'
  | 'matrix'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'tabDelimited'
  | 'deepObject'
  | 'cookie'

export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie'

/** Place -> the styles that it may have; the first is the default. */
export const STYLES_AT: { readonly [place in ParameterPlace]: readonly ParameterStyle[] } = {
  path: ['simple', 'label', 'matrix', 'spaceDelimited', 'pipeDelimited', 'tabDelimited'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'tabDelimited', 'deepObject'],
  header: ['simple', 'spaceDelimited', 'pipeDelimited', 'tabDelimited'],
  cookie: ['form', 'cookie'],
}

export const explodesByDefault = (style: ParameterStyle): boolean => ['form', 'cookie', 'deepObject'].includes(style)

/** Kinds of bodies that are written. */
export type BodyKind = 'json' | 'form' | 'multipart' | 'text' | 'bytes'

/** Header -> why it is no input: `own` is written by this service itself, `refused` says who calls or from where. */
const HEADERS: { readonly [name: string]: 'own' | 'refused' } = {
  accept: 'own', authorization: 'own', connection: 'own', 'content-length': 'own', 'content-type': 'own', host: 'own', 'idempotency-key': 'own',
  'keep-alive': 'own', te: 'own', traceparent: 'own', tracestate: 'own', trailer: 'own', 'transfer-encoding': 'own', 'user-agent': 'own',
  cookie: 'refused', expect: 'refused', forwarded: 'refused', origin: 'refused', referer: 'refused', upgrade: 'refused', via: 'refused',
} // prettier-ignore

/** Classifies a header name: an input may have it, it is the runtime's own, or it is refused. */
export function headerKind(name: string): 'input' | 'own' | 'refused' {
  const small = name.toLowerCase()
  if (Object.hasOwn(HEADERS, small)) return HEADERS[small]!
  if (/^(?:x-forwarded-|sec-|proxy-)/u.test(small)) return 'refused'
  return /^[\w!#$%&'*+.^`|~-]{1,128}$/u.test(name) ? 'input' : 'refused'
}

/** Returns how a response of a media type is read: as JSON, as text, or as bytes in base64. */
export function readAs(type: string): 'json' | 'text' | 'bytes' {
  const name = type.toLowerCase().split(';', 1)[0]!.trim()
  if (/[/+]json$/u.test(name) || /^(?:\*|application)\/\*$/u.test(name)) return 'json'
  const isText =
    /^text\/|[/+](?:xml|yaml)$|^application\/(?:x-yaml|javascript|x-ndjson|ndjson|jsonl|graphql|sql|csv|json-seq|x-sh|x-pem-file)$/u
  return isText.test(name) ? 'text' : 'bytes'
}
