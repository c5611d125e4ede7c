/** The cookies of the console: a session, and for some minutes a sign-in or a consent that is under way. */
import { sha256Hex } from '../../crypto/json/digest.js'
import type { HttpRequest } from '../../runtime/http/exchange.js'
import type { Setting } from '../setting.js'

export type CookieKind = 'session' | 'sign-in' | 'connect'

/**
 * `__Host-` wants Secure and the path `/`, which all services of a host share: a digest of their path is in the name
 * (decisions, section 18). Loopback http has no Secure, and there all ports share their cookies, so the port is, too.
 */
function nameOf({ origin, base }: Setting, kind: CookieKind): string {
  const { protocol, port } = new URL(origin())
  const place = base === '' ? '' : `${sha256Hex(base).slice(0, 12)}-`
  return protocol === 'https:' ? `__Host-svc-console-${place}${kind}` : `svc-console-${port}-${place}${kind}`
}

const VALUE = /^[\w.~-]{1,4000}$/u

/**
 * The value of a cookie; undefined where there is none, and where there are two of its name. Only `;` separates cookies
 * (RFC 6265, section 5.4): browsers send commas in values, which a sibling domain may have set.
 */
export function cookieIn(setting: Setting, request: HttpRequest, kind: CookieKind): string | undefined {
  const start = `${nameOf(setting, kind)}=`
  const found = (request.header('cookie') ?? '').split(/;\s*/u).filter((pair) => pair.startsWith(start))
  const value = found[0]?.slice(start.length)
  return found.length === 1 && value !== undefined && VALUE.test(value) ? value : undefined
}

export const setCookie = (setting: Setting, kind: CookieKind, value: string, seconds: number): readonly string[] => [
  'set-cookie',
  `${nameOf(setting, kind)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isSecure(setting)}`,
]

export const clearCookie = (setting: Setting, kind: CookieKind): readonly string[] => setCookie(setting, kind, '', 0)

const isSecure = ({ origin }: Setting): string => (origin().startsWith('https:') ? '; Secure' : '')
