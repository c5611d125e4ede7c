import { createHmac, timingSafeEqual } from 'node:crypto'
import { refuse } from '../../runtime/errors/refusal.js'
import type { HttpRequest } from '../../runtime/http/exchange.js'

/**
 * Returns the token that a page sends with each change: it can be made only from the cookie, and no other page can
 * read either.
 */
export const csrfOf = (cookie: string): string => createHmac('sha256', cookie).update('csrf').digest('base64url')

export function assertCsrf(cookie: string, request: HttpRequest): void {
  const expected = Buffer.from(csrfOf(cookie))
  const sent = Buffer.from(request.header('x-csrf-token') ?? '')
  if (sent.length === expected.length && timingSafeEqual(sent, expected)) return
  refuse('insufficient_authority', 'The page is out of date: it sent no valid X-CSRF-Token. Load it again.')
}
