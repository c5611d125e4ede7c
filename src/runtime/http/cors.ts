import type { Service } from '../service.js'
import type { Asked, Told } from './exchange.js'

/**
 * What pages of other origins may see (decisions, section 9): nothing, unless origins are listed. A listed one is named exactly, never by
 * `*`; credentials are headers that the page sets itself, so cookies are never allowed.
 */
export function withCors({ origins }: Service, asked: Asked, told: Told): Told {
  if (origins === undefined) return told
  const origin = asked.header('origin')
  const allowed = origin !== null && origins.has(origin) ? ['access-control-allow-origin', origin, ...EXPOSED] : []
  return { ...told, headers: [...told.headers, 'vary', 'origin', ...allowed] }
}

const EXPOSED = ['access-control-expose-headers', 'x-svc-signature, etag, retry-after, idempotency-replayed'] as const

/** The answer to a preflight of a listed origin, which bears no credential; undefined for everything else. */
export function preflight({ origins }: Service, asked: Asked, methods: string): Told | undefined {
  const origin = asked.header('origin')
  const isPreflight = asked.method === 'OPTIONS' && asked.header('access-control-request-method') !== null
  if (!isPreflight || origin === null || origins?.has(origin) !== true) return undefined
  return { status: 204, headers: ['access-control-allow-methods', methods, ...ALLOWED], body: null }
}

const ALLOWED = [
  'access-control-allow-headers', 'authorization, content-type, idempotency-key, if-none-match, x-svc-version',
  'access-control-max-age', '600',
] as const // prettier-ignore
