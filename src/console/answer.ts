import { statusOf } from '../protocol/failures.js'
import { errorResponseOf } from '../runtime/endpoint/error-response.js'
import { refuse } from '../runtime/errors/refusal.js'
import type { AnswerOverHttp, HttpRequest, HttpResponse } from '../runtime/http/exchange.js'
import { jsonResponse } from '../runtime/http/response.js'
import { seeOther, withPolicy } from './headers.js'
import { ROUTES } from './routes.js'
import { assertCsrf } from './session/csrf.js'
import { noteUse, personOf, type Person } from './session/person.js'
import { CONSOLE_ROOT, consolePathOf, type Setting } from './setting.js'
import { assertOwnOrigin, assertSite } from './site.js'
import type { ConsoleRoute, Visit } from './visit.js'

/** Checks whether a request is for the console. */
export const isConsolePath = (target: string): boolean =>
  target === CONSOLE_ROOT || target.startsWith(`${CONSOLE_ROOT}/`) || target.startsWith(`${CONSOLE_ROOT}?`)

/** Answers everything below `/-/console`. It never rejects. */
export const answerConsole =
  (setting: Setting): AnswerOverHttp =>
  async (request) => {
    try {
      assertSite(setting, request)
      return withPolicy(await respond(setting, request))
    } catch (error) {
      return withPolicy(failed(setting, error))
    }
  }

function failed(setting: Setting, error: unknown): HttpResponse {
  const { status, body, retryAfter } = errorResponseOf(setting.service, 'console', { caller: {} }, error)
  const later = retryAfter === undefined ? [] : ['retry-after', String(retryAfter)]
  return jsonResponse(status ?? statusOf(body.failure.type), JSON.stringify(body), ...later)
}

async function respond(setting: Setting, request: HttpRequest): Promise<HttpResponse> {
  const question = request.target.indexOf('?')
  const path = (question === -1 ? request.target : request.target.slice(0, question)).slice(CONSOLE_ROOT.length)
  const query = new URLSearchParams(question === -1 ? '' : request.target.slice(question))
  const found = matchedRoute(path)
  if (found === undefined) return document(setting, request, path)
  const { route, segments } = found
  if (request.method !== route.method) return refuse('method_not_allowed', `This endpoint takes ${route.method} only.`)
  if (route.method === 'POST') assertOwnOrigin(setting, request)
  const visit: Visit = { setting, request, query, segments }
  return 'anybody' in route ? route.anybody(visit) : asPerson(route, visit)
}

async function asPerson(
  route: Extract<ConsoleRoute, { readonly signedIn: unknown }>,
  visit: Visit,
): Promise<HttpResponse> {
  const { setting, request } = visit
  const person: Person =
    (await personOf(setting, request)) ?? refuse('authentication_required', 'Sign in first: your session has ended.')
  if (route.method === 'POST') assertCsrf(person.cookie, request)
  if (route.isPassive !== true) await noteUse(setting, person)
  const held: (() => void)[] = []
  const left = (): void => held.splice(0).forEach((act) => act())
  try {
    const answer = await route.signedIn({ ...visit, person, whenLeft: (act) => void held.push(act) })
    return { ...answer, principal: person.known.principal, ...(held.length > 0 && { left }) }
  } catch (error) {
    left()
    throw error
  }
}

/** Files by their names, the one page by every other address: what it shows, it reads from the endpoints. */
function document(setting: Setting, request: HttpRequest, path: string): HttpResponse {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refuse('method_not_allowed', 'The pages of the console take GET only.')
  if (path === '') return seeOther(`${consolePathOf(setting)}/`)
  const isFile = path.startsWith('/assets/')
  const name = isFile ? path.slice('/assets/'.length) : 'index.html'
  const answer = path.startsWith('/api/') ? undefined : setting.assets.file(name, request)
  if (answer === undefined) return refuse('not_found', 'Page not found.')
  return request.method === 'HEAD' ? { ...answer, body: null } : answer
}

const PATTERNS = ROUTES.map((route) => {
  const [before = '', name = '', after = ''] = route.path.split(/[{}]/u)
  return { route, name, matches: new RegExp(name === '' ? `^${before}$` : `^${before}([\\w-]{1,100})${after}$`, 'u') }
})

function matchedRoute(
  path: string,
): { readonly route: ConsoleRoute; readonly segments: Visit['segments'] } | undefined {
  for (const { route, name, matches } of PATTERNS) {
    const match = matches.exec(path)
    if (match !== null) return { route, segments: match[1] === undefined ? {} : { [name]: match[1] } }
  }
  return undefined
}
