/** Access tokens of a person's account: one replica renews at a time, and no refresh token is sent twice. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Principal } from '../../protocol/principals.js'
import { failure } from '../../protocol/failures.js'
import { FailedByHandler } from '../errors/refusal.js'
import { neverSent } from '../net/never-sent.js'
import type { Service } from '../service.js'
import type { KeptConnection, StoredConnection } from '../storage/contract.js'
import { configured, OtherIssuer, serverOf, type Exchange } from './authorization-server.js'
import { OtherScope, resourceParameter, scopesBeyond, revoked, tokensIn, type ConnectionTokens } from './authorize.js'
import { endConnection, storedOf, connectionTokensOf, withTokens } from './kept-connection.js'
import { hold, placeOf, type HeldToken } from '../credentials/connection-memory.js'
import { connectionSettings } from './settings.js'

/** A renewal that takes longer was cut off: whether the authorization server took the refresh token is not known. */
export const RENEWAL_MS = 30_000
/** A token is renewed before it ends, so that none ends on its way. */
const EARLY_MS = 30_000
/** Of a token whose server does not say how long it counts. */
const USUAL_MS = 5 * 60_000
const LOOK_AGAIN_MS = 200
const WAIT_MS = 15_000
const NOTE_USE_MS = 60_000

/** Returns the access token of a person at an upstream system; undefined without a live connection. */
export async function accessToken(
  service: Service,
  person: Principal,
  upstream: string,
  by: Principal,
): Promise<string | undefined> {
  const { connections: store } = service.storage
  const kept = await store.of(person, upstream)
  if (kept === undefined || kept.state === 'ended') return undefined
  const held = service.connections.held.get(placeOf(person, upstream))
  const isGood = held?.connectionId === kept.connection_id && service.now() < held.until
  const token = isGood ? held : await renewedOnce(service, kept)
  if (token !== undefined && service.now() - (kept.last_used_at ?? 0) > NOTE_USE_MS)
    await store.used(kept.connection_id, by, service.now())
  return token?.token
}

/** Forgets a token that the upstream system refused. A connection that has no other token ends. */
export async function refusedToken(
  service: Service,
  person: Principal,
  upstream: string,
  token: string,
): Promise<void> {
  const { held } = service.connections
  const place = placeOf(person, upstream)
  if (held.get(place)?.token === token) held.delete(place)
  const kept = await service.storage.connections.of(person, upstream)
  const tokens = kept?.state === 'connected' ? connectionTokensOf(service, kept) : undefined
  if (tokens?.refresh_token !== undefined || tokens?.access_token !== token) return
  await endConnection(service, kept!, 'refused_upstream')
}

/** All calls of this process wait for one renewal. */
function renewedOnce(service: Service, kept: KeptConnection): Promise<HeldToken | undefined> {
  const { renewals } = service.connections
  const underWay = renewals.get(kept.connection_id)
  if (underWay !== undefined) return underWay
  const renewal = renewedIn(service, kept, WAIT_MS).finally(() => void renewals.delete(kept.connection_id))
  renewals.set(kept.connection_id, renewal)
  return renewal
}

async function renewedIn(service: Service, first: KeptConnection, waitMs: number): Promise<HeldToken | undefined> {
  const until = performance.now() + waitMs
  for (let kept: KeptConnection | undefined = first; ;) {
    if (kept === undefined || kept.state === 'ended') return undefined
    if (kept.state === 'connected') {
      const renewed = await tried(service, kept)
      if (renewed !== 'other') return renewed
    } else if ((kept.renewing_ms ?? 0) >= RENEWAL_MS) {
      await endConnection(service, kept, 'interrupted', undefined, RENEWAL_MS)
      return undefined
    } else if (performance.now() > until) return unreachable(`${kept.upstream} is being asked for a new token.`)
    await sleep(LOOK_AGAIN_MS)
    kept = await service.storage.connections.get(kept.connection_id)
  }
}

/** Renews a connection, unless another replica does. */
async function tried(service: Service, kept: KeptConnection): Promise<HeldToken | undefined | 'other'> {
  const tokens = connectionTokensOf(service, kept)
  if (tokens === undefined) return undefined
  if (tokens.refresh_token === undefined) return lasting(service, kept, tokens)
  const owner = `${service.owner}:${kept.revision}`
  const { connection_id, revision } = kept
  if (!(await service.storage.connections.beginRenewal(connection_id, revision, owner))) return 'other'
  return renewed(service, { kept, tokens, refreshToken: tokens.refresh_token, owner })
}

/** An access token that no other token renews. */
async function lasting(
  service: Service,
  kept: KeptConnection,
  tokens: ConnectionTokens,
): Promise<HeldToken | undefined> {
  const { access_token, expires_at } = tokens
  const isOver = expires_at !== undefined && expires_at <= service.now()
  if (access_token === undefined || isOver) return void (await endConnection(service, kept, 'expired'))
  return hold(service.connections, placeOf(kept.person, kept.upstream), {
    connectionId: kept.connection_id,
    token: access_token,
    until: expires_at ?? service.now() + USUAL_MS,
  })
}

interface Renewal {
  readonly kept: KeptConnection
  readonly tokens: ConnectionTokens
  readonly refreshToken: string
  readonly owner: string
}

/** The refresh token is sent here, and nowhere else: once, by who holds the row. */
async function renewed(service: Service, renewal: Renewal): Promise<HeldToken | undefined> {
  const { kept, owner } = renewal
  const exchange: Exchange = { isSent: false }
  const answer = await refreshed(renewal, exchange, service.now()).catch((error: unknown) => ({ error }))
  if (!('error' in answer)) return stored(service, renewal, answer)
  const outcome = outcomeOf(answer.error, exchange)
  service.log.warn('A connection was not renewed.', { upstream: kept.upstream, outcome })
  if (outcome === 'refused_upstream' || outcome === 'interrupted')
    return void (await endConnection(service, { ...kept, state: 'renewing' }, outcome))
  await service.storage.connections.abandonRenewal(kept.connection_id, owner)
  return unreachable(`The authorization server of ${kept.upstream} does not answer.`, exchange.wait)
}

async function refreshed({ kept, tokens, refreshToken }: Renewal, exchange: Exchange, now: number) {
  const settings = connectionSettings(kept.upstream)
  if (settings === undefined) throw new Error('The upstream system has no connections any more.')
  const server = await serverOf(settings)
  if (server.metadata.issuer !== kept.issuer) throw new OtherIssuer()
  const configuration = await configured(server, tokens.client, exchange)
  const openid = await import('openid-client')
  const given = await openid.refreshTokenGrant(
    configuration,
    refreshToken,
    resourceParameter({ resource: tokens.resource ?? server.resource }),
  )
  const revoke = () => revoked(configuration, given.refresh_token ?? given.access_token)
  if (scopesBeyond(settings, kept.scopes, given.scope)) {
    await revoke()
    throw new OtherScope()
  }
  return { given: { refresh_token: refreshToken, ...tokensIn(given, now) }, revoke }
}

/** Error codes by which a server says that it did nothing; a proxy in front of it says others (RFC 6749, 5.2; 8707). */
const NOTHING_DONE: readonly unknown[] = [
  'invalid_request',
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'invalid_target',
  'temporarily_unavailable',
]

/** Fate of a refresh token after an exchange that brought none: only what was never taken may be sent again. */
function outcomeOf(
  error: unknown,
  { isSent, status, wait, code }: Exchange,
): 'refused_upstream' | 'interrupted' | 'put off' {
  if (code === 'invalid_grant' || error instanceof OtherIssuer || error instanceof OtherScope) return 'refused_upstream'
  const isPutOff = status === 429 || (status === 503 && wait !== undefined) || NOTHING_DONE.includes(code)
  return !isSent || neverSent(error) || isPutOff ? 'put off' : 'interrupted'
}

const STORE_TRIES = 5

/** Stores new tokens before they are used: what cannot be stored ends the connection of this person alone. */
async function stored(
  service: Service,
  { kept, tokens, owner }: Renewal,
  { given, revoke }: Awaited<ReturnType<typeof refreshed>>,
): Promise<HeldToken | undefined> {
  const { access_token, refresh_token, expires_at } = given
  const next = { ...storedOf(kept), revision: kept.revision + 1 }
  const sealed = withTokens(service, next, { ...tokens, refresh_token })
  let isStored: boolean | undefined
  for (let tries = 1; isStored === undefined; tries++)
    isStored = await service.storage.connections.endRenewal(sealed, owner).catch(async (error: unknown) => {
      if (tries >= STORE_TRIES) throw error
      await sleep(LOOK_AGAIN_MS * tries)
      return undefined
    })
  if (!isStored && !(await holds(service, next))) return void (await revoke())
  const lasts = (expires_at ?? service.now() + USUAL_MS) - service.now()
  return hold(service.connections, placeOf(kept.person, kept.upstream), {
    connectionId: kept.connection_id,
    token: access_token,
    until: service.now() + Math.max(lasts - EARLY_MS, lasts / 2),
  })
}

/** Holds where a write whose answer was lost had arrived: only that raises the revision of a renewal of ours. */
async function holds(service: Service, { connection_id, revision }: StoredConnection): Promise<boolean> {
  const kept = await service.storage.connections.get(connection_id)
  return kept !== undefined && kept.state !== 'ended' && kept.revision >= revision
}

/** Nothing was asked of the upstream system. */
function unreachable(why: string, retryAfter = 5): never {
  throw new FailedByHandler(failure('service_unavailable', why), { retryAfter })
}
