import { randomBytes } from 'node:crypto'
import { sha256Hex } from '../../crypto/json/digest.js'
import { isAccount } from '../../protocol/credential.js'
import type { Known } from '../../runtime/credentials/known.js'
import type { HttpRequest } from '../../runtime/http/exchange.js'
import { present } from '../../runtime/json/present.js'
import type { LiveSession } from '../../runtime/storage/contract.js'
import type { Setting } from '../setting.js'
import { takesKeys } from '../site.js'
import { cookieIn, setCookie } from './cookie.js'
import { IDLE_MS, LIFETIME_MS, TOUCH_MS } from './limits.js'

/** Person who signed in. */
export interface Person {
  readonly known: Known
  readonly cookie: string
  readonly session: LiveSession
}

const hashOf = (cookie: string): string => sha256Hex(cookie)

/**
 * Begins a session of its own, whatever cookie came along (session fixation); gives the header that sets its cookie.
 */
export async function beginSession(setting: Setting, known: Known, request: HttpRequest): Promise<readonly string[]> {
  const { sessions } = setting.service.storage
  const { principal, credential, scopes, caller_classes, roles } = known
  if (credential === undefined) throw new TypeError('A session needs the credential behind it.')
  const former = cookieIn(setting, request, 'session')
  if (former !== undefined) await sessions.end(hashOf(former))
  const cookie = randomBytes(32).toString('base64url')
  const session = present({ hash: hashOf(cookie), principal, credential, scopes, caller_classes, roles })
  await sessions.begin(session, LIFETIME_MS, IDLE_MS)
  setting.service.log.info('Somebody signed in to the console.', { principal })
  return setCookie(setting, 'session', cookie, LIFETIME_MS / 1000)
}

/** Returns the person of a request, if the session and the identity behind it are still valid. */
export async function personOf(setting: Setting, request: HttpRequest): Promise<Person | undefined> {
  const cookie = cookieIn(setting, request, 'session')
  if (cookie === undefined) return undefined
  const { sessions } = setting.service.storage
  const session = await sessions.look(hashOf(cookie))
  if (session === undefined) return undefined
  const known = knownNow(setting, request, session)
  if (known !== undefined) return { known, cookie, session }
  await sessions.end(session.hash)
  return undefined
}

/** An API key says itself what it may, and may be gone; what a provider said counts while the provider does. */
function knownNow(setting: Setting, request: HttpRequest, session: LiveSession): Known | undefined {
  const { principal, credential, scopes, caller_classes, roles } = session
  if (!isAccount(credential)) {
    const key = takesKeys(setting, request) ? setting.service.apiKeys.named(credential.api_key) : undefined
    return key?.principal === principal ? key : undefined
  }
  if (setting.provider?.issuer !== credential.issuer) return undefined
  return present({ principal, credential, scopes, caller_classes, roles })
}

/** The idle time begins anew; not written for each of many requests. */
export async function noteUse({ service }: Setting, { session }: Person): Promise<void> {
  if (session.idleLeft < IDLE_MS - TOUCH_MS) await service.storage.sessions.touch(session.hash, IDLE_MS)
}
