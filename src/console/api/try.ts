import { rootAuthority } from '../../runtime/auth/root-authority.js'
import { tokenRequestOf } from '../../runtime/auth/token-request.js'
import type { Token } from '../../runtime/auth/token.js'
import { permissionsOf } from '../../runtime/call/permissions.js'
import { membersOf, objectMember, shortText, textMember } from '../../runtime/request/members.js'
import { CAPABILITY_NAME } from '../../protocol/identifiers.js'
import type { JsonObject } from '../../protocol/manifest.js'
import { endpoints } from '../../runtime/endpoints/index.js'
import { refuse } from '../../runtime/errors/refusal.js'
import { httpResponseOf, jsonResponse } from '../../runtime/http/response.js'
import type { HttpResponse } from '../../runtime/http/exchange.js'
import { present } from '../../runtime/json/present.js'
import type { Service } from '../../runtime/service.js'
import { formOf } from '../body.js'
import { assertFresh } from '../session/entitled.js'
import { askOnBehalf } from './on-behalf.js'
import type { Setting } from '../setting.js'
import type { ConsoleRoute, SignedInVisit } from '../visit.js'

/** A capability tried by the person who has signed in, with a token of theirs that no page ever sees. */
export const tryRoutes: readonly ConsoleRoute[] = [
  { method: 'POST', path: '/api/try/permission', signedIn: permission },
  { method: 'POST', path: '/api/try/call', signedIn: call },
]

/** h; long enough for one call. */
const TOKEN_HOURS = 0.25

interface Tried {
  readonly name: string
  readonly given: JsonObject
  /** The body of POST /svc/tokens: no more than this one capability needs. */
  readonly tokenRequest: JsonObject
}

function triedIn({ service }: Setting, body: Awaited<ReturnType<typeof formOf>>): Tried {
  const given = membersOf(body, ['capability', 'parameters', 'budget', 'key'])
  const name = textMember(given, 'capability', (text) => CAPABILITY_NAME.test(text), 'a capability name') ?? ''
  const scope = scopesFor(service, name)
  const budget = objectMember(given, 'budget')
  return {
    name,
    given,
    tokenRequest: present({ scope, capability: name, budget, ttl_hours: TOKEN_HOURS }) as JsonObject,
  }
}

/** Returns the scopes of a capability and of its steps. */
function scopesFor({ capabilities }: Service, name: string): readonly string[] {
  const capability = capabilities.get(name) ?? refuse('unknown_capability', 'Unknown capability.')
  const steps =
    capability.composition?.steps.map((step) => capabilities.get(step.capability)?.minimum_scope ?? []) ?? []
  return [...new Set([...capability.minimum_scope, ...steps.flat()])]
}

/** Answers what a token of this person could do, by the checks of a call; issues no token. */
async function permission(visit: SignedInVisit): Promise<HttpResponse> {
  const { service } = visit.setting
  const { name, tokenRequest } = triedIn(visit.setting, await formOf(visit, 'tokens'))
  const { available, restricted, denied } = permissionsOf(service, supposedToken(visit, tokenRequest))
  const of = <Each extends { readonly capability: string }>(all: readonly Each[]): readonly Each[] =>
    all.filter(({ capability }) => capability === name)
  const answer = { available: of(available), restricted: of(restricted), denied: of(denied) }
  return jsonResponse(200, JSON.stringify(answer), 'cache-control', 'no-store')
}

/** The token that would be issued, refused as its issue would be. Nobody holds it, and it is stored nowhere. */
function supposedToken({ setting: { service }, person: { known } }: SignedInVisit, asked: JsonObject): Token {
  const now = Math.floor(service.now() / 1000)
  const authority = rootAuthority(service.manifest, known, tokenRequestOf(asked, service.limits), now)
  const claims = { jti: 'supposed', iss: service.id, aud: service.id, iat: now, nbf: now, ...authority }
  const record = { claims, depth: 0 }
  return { claims, chain: [record], record, read: { at: service.now(), afterRevocations: service.revocations.count } }
}

/** A call as anybody else's: it is checked, it costs, and it stands on the trail. */
async function call(visit: SignedInVisit): Promise<HttpResponse> {
  assertFresh(visit.person)
  const { name, given, tokenRequest } = triedIn(visit.setting, await formOf(visit, 'tokens'))
  const parameters = objectMember(given, 'parameters') ?? {}
  const idempotencyKey = shortText(given, 'key', 100) ?? null
  const issued = await askOnBehalf(visit, 'tokens', { body: tokenRequest })
  if (issued.status !== 200) return issued
  const { token } = JSON.parse(String(issued.body)) as { readonly token: string }
  const answer = await endpoints.invoke(visit.setting.service, {
    authorization: `Bearer ${token}`,
    segments: { capability: name },
    query: new URLSearchParams(),
    idempotencyKey,
    client: visit.request.client,
    caller: {},
    body: async () => ({ parameters, approval: 'continue' }),
  })
  return httpResponseOf(answer, visit.request)
}
