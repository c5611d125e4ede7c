import { membersOf, textMember } from '../../runtime/request/members.js'
import { NotConnected } from '../../runtime/connections/asked-json.js'
import { beginConsent, endConsent, type ConsentUnderWay } from '../../runtime/connections/authorize.js'
import { endAnyway, keepConnection } from '../../runtime/connections/kept-connection.js'
import { ownClient } from '../../runtime/connections/own-client.js'
import { connectionsOf, personalSettings } from '../../runtime/connections/required.js'
import {
  connectionsKey,
  decryptedText,
  encryptedText,
  type SealedPlace,
} from '../../runtime/connections/sealed-tokens.js'
import { nameAndCode } from '../../runtime/errors/reason.js'
import { refuse } from '../../runtime/errors/refusal.js'
import type { HttpResponse } from '../../runtime/http/exchange.js'
import { jsonResponse } from '../../runtime/http/response.js'
import type { Service } from '../../runtime/service.js'
import { formOf } from '../body.js'
import { seeOther } from '../headers.js'
import { clearCookie, cookieIn, setCookie } from '../session/cookie.js'
import { SIGN_IN_MS } from '../session/limits.js'
import { personOf, type Person } from '../session/person.js'
import { consolePathOf, type Setting } from '../setting.js'
import type { ConsoleRoute, SignedInVisit, Visit } from '../visit.js'
import { askOnBehalf } from './on-behalf.js'

const pageOf = (setting: Setting): string => `${consolePathOf(setting)}/connections`
export const CONNECTED_PATH = '/connections/callback'

/** Accounts of the person who has signed in. */
export const connectionRoutes: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/api/connections',
    isPassive: true,
    signedIn: (visit) => askOnBehalf(visit, 'connections', { query: visit.query }),
  },
  { method: 'POST', path: '/api/connections/connect', signedIn: connect },
  {
    method: 'POST',
    path: '/api/connections/{id}/disconnect',
    signedIn: (visit) => askOnBehalf(visit, 'connection_disconnect', { segments: visit.segments }),
  },
  { method: 'GET', path: CONNECTED_PATH, anybody: comeBack },
]

/** A consent that has begun in this browser and this session: only its own answer counts, for ten minutes. */
interface Begun {
  readonly upstream: string
  readonly begunAt: number
  readonly underWay: ConsentUnderWay
}

const placeOf = ({ id }: Service, { session, known }: Person): SealedPlace => ({
  service: id,
  row: `consent ${session.hash}`,
  person: known.principal,
  upstream: '',
})

/** Sends the browser to the authorization server; the page goes there itself. */
async function connect(visit: SignedInVisit): Promise<HttpResponse> {
  const { setting, person } = visit
  const { service } = setting
  const given = membersOf(await formOf(visit, 'connections'), ['upstream'])
  const upstream = textMember(given, 'upstream', (text) => text.length <= 200, 'an upstream system') ?? ''
  const own = ownClient(service)
  const isNamed = connectionsOf([...service.capabilities.values()]).includes(upstream)
  const settings = isNamed ? personalSettings(upstream) : undefined
  if (settings === undefined || own === undefined)
    return refuse('not_found', 'There is no such upstream system for accounts of people.')
  const kept = await service.storage.connections.of(person.known.principal, upstream)
  const wanted = [...(kept?.wanted ?? []), ...(kept === undefined || kept.state === 'ended' ? [] : kept.scopes)]
  const { location, underWay } = await beginConsent(settings, own, wanted).catch((error: unknown) =>
    refuseBegin(service, upstream, error),
  )
  const begun: Begun = { upstream, begunAt: service.now(), underWay }
  const key = connectionsKey(service.keys.ring().secrets)!
  const cookie = encryptedText(key, placeOf(service, person), JSON.stringify(begun))
  return jsonResponse(200, JSON.stringify({ location }), ...setCookie(setting, 'connect', cookie, SIGN_IN_MS / 1000))
}

function refuseBegin(service: Service, upstream: string, error: unknown): never {
  const why = error instanceof NotConnected ? error.message : 'Its authorization server does not answer.'
  service.log.warn('An account could not be connected.', { upstream, error: String(error) })
  return refuse('service_unavailable', `The account could not be connected. ${why}`)
}

/** The answer of an authorization server: for the session that asked, or for nobody. */
async function comeBack({ setting, request }: Visit): Promise<HttpResponse> {
  const { service } = setting
  const person = await personOf(setting, request)
  const begun = person && begunIn(setting, request, person)
  const forget = clearCookie(setting, 'connect')
  if (person === undefined || begun === undefined) return seeOther(`${pageOf(setting)}?because=expired`, ...forget)
  const { upstream, underWay } = begun
  const settings = personalSettings(upstream)
  const answer = new URLSearchParams(request.target.slice(request.target.indexOf('?') + 1))
  try {
    if (settings === undefined) throw new NotConnected('The upstream system is gone.')
    const consent = await endConsent(settings, underWay, answer, service.now())
    const { connection_id } = await keepConnection(service, person.known, upstream, consent)
    // A block that came in the meantime has ended the session, and did not find this connection.
    if ((await personOf(setting, request)) === undefined) {
      await endAnyway(service, connection_id, 'blocked', person.known)
      throw new NotConnected('The session has ended.')
    }
    return seeOther(`${pageOf(setting)}?connected=${encodeURIComponent(upstream)}`, ...forget)
  } catch (error) {
    service.log.info('An account was not connected.', { upstream, error: reasonOf(error) })
    const because = answer.get('error') === 'access_denied' ? 'denied' : 'refused'
    return seeOther(`${pageOf(setting)}?because=${because}`, ...forget)
  }
}

const reasonOf = (error: unknown): string => (error instanceof NotConnected ? error.message : nameAndCode(error))

function begunIn(setting: Setting, request: Visit['request'], person: Person): Begun | undefined {
  const { service } = setting
  const cookie = cookieIn(setting, request, 'connect')
  const text = cookie && decryptedText(service.keys.ring().secrets, placeOf(service, person), cookie)
  const begun = text ? (JSON.parse(text) as Begun) : undefined
  const age = service.now() - (begun?.begunAt ?? 0)
  return begun !== undefined && age >= 0 && age <= SIGN_IN_MS ? begun : undefined
}
