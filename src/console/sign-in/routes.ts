import { membersOf, optionalMembersOf, textMember } from '../../runtime/request/members.js'
import { identityOf } from '../../runtime/auth/bootstrap.js'
import { refuse } from '../../runtime/errors/refusal.js'
import { jsonResponse } from '../../runtime/http/response.js'
import type { HttpResponse } from '../../runtime/http/exchange.js'
import { formOfStranger } from '../body.js'
import { seeOther } from '../headers.js'
import { clearCookie } from '../session/cookie.js'
import { beginSession } from '../session/person.js'
import { consolePathOf, type Setting } from '../setting.js'
import { takesKeys } from '../site.js'
import type { ConsoleRoute, Visit } from '../visit.js'
import { pageIn, rememberSignIn, signInUnderWay } from './under-way.js'

const CALLBACK = '/callback'

export const signInRoutes: readonly ConsoleRoute[] = [
  { method: 'POST', path: '/api/sign-in/provider', anybody: goToProvider },
  { method: 'GET', path: CALLBACK, anybody: comeBack },
  { method: 'POST', path: '/api/sign-in/key', anybody: signInByKey },
  {
    method: 'POST',
    path: '/api/sign-out',
    signedIn: async ({ setting, person }) => {
      await setting.service.storage.sessions.end(person.session.hash)
      return jsonResponse(200, '{}', ...clearCookie(setting, 'session'))
    },
  },
]

const redirectUri = (setting: Setting): string => `${setting.origin()}${consolePathOf(setting)}${CALLBACK}`

/** The page goes there itself: a form that is redirected would need the provider in the policy of the page. */
async function goToProvider(visit: Visit): Promise<HttpResponse> {
  const { setting } = visit
  const { page } = optionalMembersOf(await formOfStranger(visit), ['page'])
  const provider = setting.provider ?? refuse('not_found', 'No identity provider is configured for the console.')
  const { location, underWay } = await provider.begin(redirectUri(setting))
  const signIn = { ...underWay, page: pageIn(page, setting.base), begunAt: setting.service.now() }
  return jsonResponse(200, JSON.stringify({ location }), ...rememberSignIn(setting, signIn))
}

/** The provider's answer. It decides nothing but who is here; what is wrong with it is shown on the page of sign-in. */
async function comeBack({ setting, request }: Visit): Promise<HttpResponse> {
  const { provider, service } = setting
  const underWay = signInUnderWay(setting, request)
  const forget = clearCookie(setting, 'sign-in')
  if (provider === undefined || underWay === undefined)
    return seeOther(`${consolePathOf(setting)}/sign-in?because=expired`, ...forget)
  const wait = service.guesses.take(`sign-in ${request.client}`, service.limits.badCredentialsPerMinute)
  if (wait !== undefined) return seeOther(`${consolePathOf(setting)}/sign-in?because=too-often`, ...forget)
  const callback = new URL(redirectUri(setting))
  callback.search = request.target.slice(request.target.indexOf('?'))
  const known = await provider.finish(callback, underWay).catch(() => undefined)
  if (known === undefined) return seeOther(`${consolePathOf(setting)}/sign-in?because=unknown`, ...forget)
  await noteAccount(setting, known)
  return seeOther(underWay.page, ...forget, ...(await beginSession(setting, known, request)))
}

/** Nothing is done in the name of an account before it is noted that it goes by this name (threat N01). */
const noteAccount = ({ service }: Setting, known: Parameters<typeof beginSession>[1]) =>
  identityOf({ ...service, bootstrap: async () => known }, '', '')

async function signInByKey(visit: Visit): Promise<HttpResponse> {
  const { setting, request } = visit
  const { service } = setting
  if (!takesKeys(setting, request))
    return refuse('not_found', 'API keys sign in during development only, on a loopback address.')
  const given = membersOf(await formOfStranger(visit), ['key'])
  const key = textMember(given, 'key', (text) => /^[\x21-\x7e]{1,1000}$/u.test(text), 'an API key') ?? ''
  const known = await identityOf(
    { ...service, bootstrap: async (bearer, client) => service.apiKeys.known(bearer, client) },
    key,
    request.client,
  )
  return jsonResponse(200, '{}', ...(await beginSession(setting, known, request)))
}
