/** Checks of a request's origin, before anything else is read from it (threat N16). */
import { refuse } from '../runtime/errors/refusal.js'
import type { HttpRequest } from '../runtime/http/exchange.js'
import { isLocal } from '../runtime/http/local.js'
import { assertHost } from '../runtime/http/origin.js'
import { isLoopbackHost } from '../runtime/net/loopback.js'
import type { Setting } from './setting.js'

/**
 * Without a provider the console answers on loopback only; without a publicUrl, by a loopback name only (DNS
 * rebinding).
 */
export function assertSite({ service, provider, isPublic }: Setting, request: HttpRequest): void {
  assertHost(service, request)
  if (provider === undefined && !isLocal(request)) refuse('not_found', 'There is no such endpoint.')
  if (!isPublic && !isLoopbackHost(request.header('host') ?? ''))
    refuse('insufficient_authority', 'The console is not served under this host name. Set publicUrl.')
}

/** Holds for API keys: in development, on a listener and by a connection that stay on this machine. */
export const takesKeys = (
  { development, listensOnLoopback, isPublic, origin }: Setting,
  request: HttpRequest,
): boolean =>
  development && listensOnLoopback && isLocal(request) && (!isPublic || isLoopbackHost(new URL(origin()).host))

/** A change comes from a page of the console itself: its Origin says so, whatever else does. */
export function assertOwnOrigin(setting: Setting, request: HttpRequest): void {
  const origin = request.header('origin')
  const site = request.header('sec-fetch-site')
  if (isOwn(setting, request, origin) && (site === null || site === 'same-origin')) return
  refuse('insufficient_authority', 'A change must come from a page of the console.')
}

/** On loopback, without a publicUrl, a page may be at another loopback name than the listener calls itself by. */
function isOwn({ origin, isPublic }: Setting, request: HttpRequest, claimed: string | null): boolean {
  if (claimed === null) return false
  const host = request.header('host') ?? ''
  return claimed === origin() || (!isPublic && isLoopbackHost(host) && claimed === `http://${host}`)
}
