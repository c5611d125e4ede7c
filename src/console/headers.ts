import type { HttpResponse } from '../runtime/http/exchange.js'

const POLICY = [
  "default-src 'self'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self'", "object-src 'none'",
  "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
].join('; ') // prettier-ignore

/**
 * Headers of every response of the console: nothing inline, nothing from other origins, no frame around it (threats
 * N16, N17).
 */
const ALWAYS = [
  'content-security-policy', POLICY,
  'x-frame-options', 'DENY',
  'referrer-policy', 'same-origin',
  'cross-origin-opener-policy', 'same-origin',
  'cross-origin-resource-policy', 'same-origin',
  'x-robots-tag', 'noindex',
] as const // prettier-ignore

export const withPolicy = ({ headers, ...rest }: HttpResponse): HttpResponse => ({
  ...rest,
  headers: [...headers, ...ALWAYS],
})

/** To another address, which the browser asks with GET. */
export const seeOther = (location: string, ...headers: readonly string[]): HttpResponse => ({
  status: 303,
  headers: ['location', location, 'cache-control', 'no-store', ...headers],
  body: null,
})
