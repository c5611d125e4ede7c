import { decodeBase64url } from '../../crypto/json/base64url.js'
import type { HttpRequest } from '../../runtime/http/exchange.js'
import { cookieIn, setCookie } from '../session/cookie.js'
import { SIGN_IN_MS } from '../session/limits.js'
import { consolePathOf, type Setting } from '../setting.js'
import type { UnderWay } from '../provider.js'

/** A sign-in that has begun in this browser: only its own answer counts, for ten minutes. */
export interface SignInUnderWay extends UnderWay {
  /** The page to show then. */
  readonly page: string
  /** ms */
  readonly begunAt: number
}

export const rememberSignIn = (setting: Setting, signIn: SignInUnderWay): readonly string[] =>
  setCookie(setting, 'sign-in', Buffer.from(JSON.stringify(signIn)).toString('base64url'), SIGN_IN_MS / 1000)

export function signInUnderWay(setting: Setting, request: HttpRequest): SignInUnderWay | undefined {
  const cookie = cookieIn(setting, request, 'sign-in')
  const signIn = cookie === undefined ? undefined : parsed(setting, cookie)
  if (signIn === undefined) return undefined
  const age = setting.service.now() - signIn.begunAt
  return age >= 0 && age <= SIGN_IN_MS ? signIn : undefined
}

function parsed(setting: Setting, cookie: string): SignInUnderWay | undefined {
  try {
    const { state, nonce, verifier, page, begunAt } = JSON.parse(
      Buffer.from(decodeBase64url(cookie) ?? []).toString(),
    ) as {
      readonly [name in keyof SignInUnderWay]?: unknown
    }
    if (typeof state !== 'string' || typeof nonce !== 'string' || typeof verifier !== 'string') return undefined
    return { state, nonce, verifier, page: pageIn(page, setting.base), begunAt: Number(begunAt) }
  } catch {
    return undefined
  }
}

const PAGE = /^\/-\/console\/[\w/.~-]*(?:\?[\w=&%.~:+-]*)?$/u

/** A page of the console, whatever was asked for: nobody is sent elsewhere after signing in. */
export function pageIn(asked: unknown, base = ''): string {
  const isPage =
    typeof asked === 'string' &&
    asked.length - base.length <= MOST_CHARACTERS &&
    asked.startsWith(base) &&
    PAGE.test(asked.slice(base.length)) &&
    !asked.includes('//') &&
    !asked.includes('..')
  return isPage ? asked : `${consolePathOf({ base })}/`
}

const MOST_CHARACTERS = 500
