import { decodeBase64url } from '../../crypto/json/base64url.js'
import type { HttpRequest } from '../../runtime/http/exchange.js'
import { cookieIn, setCookie } from '../session/cookie.js'
import { SIGN_IN_MS } from '../session/limits.js'
import { CONSOLE_ROOT, type Setting } from '../setting.js'
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
  const signIn = cookie === undefined ? undefined : parsed(cookie)
  if (signIn === undefined) return undefined
  const age = setting.service.now() - signIn.begunAt
  return age >= 0 && age <= SIGN_IN_MS ? signIn : undefined
}

function parsed(cookie: string): SignInUnderWay | undefined {
  try {
    const { state, nonce, verifier, page, begunAt } = JSON.parse(
      Buffer.from(decodeBase64url(cookie) ?? []).toString(),
    ) as {
      readonly [name in keyof SignInUnderWay]?: unknown
    }
    if (typeof state !== 'string' || typeof nonce !== 'string' || typeof verifier !== 'string') return undefined
    return { state, nonce, verifier, page: pageIn(page), begunAt: Number(begunAt) }
  } catch {
    return undefined
  }
}

const PAGE = /^\/-\/console\/[\w/.~-]*(?:\?[\w=&%.~:+-]*)?$/u

/** A page of the console, whatever was asked for: nobody is sent elsewhere after signing in. */
export const pageIn = (asked: unknown): string =>
  typeof asked === 'string' && asked.length <= 500 && PAGE.test(asked) && !asked.includes('//') && !asked.includes('..')
    ? asked
    : `${CONSOLE_ROOT}/`
