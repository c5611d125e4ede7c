import type { JsonObject } from '../../../protocol/manifest.js'

const text: JsonObject = { type: 'string' }

/** Status -> what a refusal with it tells beside its body. */
export const HEADERS_OF_STATUS: { readonly [status: number]: JsonObject } = {
  401: {
    'WWW-Authenticate': {
      description: 'What to send: `Bearer` and a credential; `error`, where one was sent and is not taken.',
      required: true,
      schema: text,
    },
  },
  429: {
    'Retry-After': {
      description: 'Seconds to wait before the next try; absent where the service does not know.',
      schema: { type: 'integer', minimum: 1 },
    },
  },
}

const CACHING: JsonObject = {
  ETag: { description: 'For `If-None-Match`.', required: true, schema: text },
  'Cache-Control': { description: 'For how long the answer may be kept.', required: true, schema: text },
}

/** Headers of documents, by which clients may cache and revalidate them (decisions, section 9). */
export const DOCUMENT_HEADERS: { readonly [operation: string]: JsonObject } = {
  discovery: CACHING,
  jwks: CACHING,
  tools: CACHING,
  openapi: CACHING,
  manifest: {
    ...CACHING,
    'X-Svc-Signature': {
      description: 'A detached JWS over the bytes of the body, by a key of `/.well-known/jwks.json`.',
      required: true,
      schema: text,
    },
  },
}

export const IF_NONE_MATCH: JsonObject = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of the copy at hand: while it is current, the answer is 304 without a body.',
  schema: text,
}

export const CALL_HEADERS: JsonObject = {
  IdempotencyReplayed: {
    description: 'Present, with failures too, when this is the answer that the first call with the same key was given.',
    schema: { const: 'true' },
  },
}
