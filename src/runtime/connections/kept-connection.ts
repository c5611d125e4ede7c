/** Connections as this service keeps them: tokens encrypted, each change on the trail, without content. */
import type { ConnectionEnd } from '../../protocol/connections.js'
import type { OperatorAction } from '../../protocol/operator.js'
import type { Principal } from '../../protocol/principals.js'
import { EMPTY_ENTRY } from '../../protocol/empty-entry.js'
import type { ProvenBy } from '../../protocol/credential.js'
import { present } from '../json/present.js'
import { timestamp } from '../json/timestamp.js'
import { StartUpError } from '../errors/start-up-error.js'
import type { Service } from '../service.js'
import type { KeptConnection, StoredConnection } from '../storage/contract.js'
import { configured, serverOf } from './authorization-server.js'
import { revoked, type Consent, type ConnectionTokens } from './authorize.js'
import { placeOf } from '../credentials/connection-memory.js'
import { connectionsKey, NO_CONNECTIONS_KEY, decryptedText, encryptedText, type SealedPlace } from './sealed-tokens.js'
import { connectionSettings } from './settings.js'

type Placed = Pick<StoredConnection, 'connection_id' | 'person' | 'upstream'>

const placeFor = ({ id }: Service, { connection_id, person, upstream }: Placed): SealedPlace => ({
  service: id,
  row: connection_id,
  person,
  upstream,
})

/** Returns the tokens of a connection; undefined without the key that encrypted them. */
export function connectionTokensOf(service: Service, connection: StoredConnection): ConnectionTokens | undefined {
  const { sealed } = connection
  if (sealed === undefined) return undefined
  const text = decryptedText(service.keys.ring().secrets, placeFor(service, connection), sealed)
  return text === undefined ? undefined : (JSON.parse(text) as ConnectionTokens)
}

/** Returns a connection with its tokens encrypted; the access token is kept only where no other token is. */
export function withTokens(service: Service, connection: StoredConnection, tokens: ConnectionTokens): StoredConnection {
  const key = connectionsKey(service.keys.ring().secrets)
  if (key === undefined) throw new StartUpError(NO_CONNECTIONS_KEY)
  const { client, resource, refresh_token, access_token, expires_at } = tokens
  const renewable = refresh_token !== undefined
  const kept = renewable ? { client, resource, refresh_token } : { client, resource, access_token, expires_at }
  return { ...connection, sealed: encryptedText(key, placeFor(service, connection), JSON.stringify(present(kept))) }
}

/** Person who acts about a connection, and by what. */
interface ActingPerson {
  readonly principal: Principal
  readonly credential?: ProvenBy | undefined
}

/** Keeps the account that a person has connected, in the place of the one before. */
export async function keepConnection(
  service: Service,
  { principal, credential }: ActingPerson,
  upstream: string,
  { account, issuer, scopes, tokens }: Consent,
): Promise<StoredConnection> {
  const former = await service.storage.connections.of(principal, upstream)
  const connection = present({
    connection_id: service.ids.make('connection'),
    person: principal,
    upstream,
    revision: 1,
    account,
    scopes,
    issuer,
    connected_at: service.now(),
  })
  const kept = withTokens(service, connection, tokens)
  await note(service, kept, { name: 'connection_made', by: { principal, credential } })
  await service.storage.connections.put(kept)
  service.connections.held.delete(placeOf(principal, upstream))
  if (former !== undefined) void revokeTokens(service, former)
  return kept
}

/** Ends a connection: no agent uses it from now on. Returns false if it had ended, or was renewed in the meantime. */
export async function endConnection(
  service: Service,
  kept: KeptConnection,
  because: ConnectionEnd,
  by?: ActingPerson,
  renewingMs?: number,
): Promise<boolean> {
  const { sealed: _, ...rest } = kept
  service.connections.held.delete(placeOf(kept.person, kept.upstream))
  const ended = await service.storage.connections.end(storedOf(rest), because, renewingMs)
  if (!ended) return false
  const actor = by ?? { principal: `service:${service.id}` as const }
  await note(service, kept, { name: 'connection_ended', by: actor, because })
  if (because === 'disconnected' || because === 'blocked') void revokeTokens(service, kept)
  return true
}

/** Ends a connection as it is, however often it is renewed meanwhile. */
export async function endAnyway(
  service: Service,
  connectionId: string,
  because: ConnectionEnd,
  by: ActingPerson,
): Promise<boolean> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const kept = await service.storage.connections.get(connectionId)
    if (kept === undefined || kept.state === 'ended') return false
    if (await endConnection(service, kept, because, by)) return true
  }
  return false
}

const MOST_TRIES = 5
const AT_ONCE = 500

/** Ends all connections of a person, by each of their names. */
export async function endConnectionsOf(service: Service, names: readonly Principal[], by: ActingPerson): Promise<void> {
  for (const person of names) {
    const kept = await service.storage.connections.list({ person, limit: AT_ONCE })
    for (const { connection_id } of kept) await endAnyway(service, connection_id, 'blocked', by)
  }
}

/** The part of a connection that renewals change, without what is beside it. */
export const storedOf = (kept: StoredConnection): StoredConnection => {
  const { connection_id, person, upstream, revision, account, scopes, issuer, connected_at, sealed } = kept
  return present({ connection_id, person, upstream, revision, account, scopes, issuer, connected_at, sealed })
}

/** Tells the authorization server that its tokens are of no use any more, as far as it takes that. */
async function revokeTokens(service: Service, kept: KeptConnection): Promise<void> {
  const tokens = connectionTokensOf(service, kept)
  const settings = connectionSettings(kept.upstream)
  if (tokens === undefined || settings === undefined) return
  try {
    const server = await serverOf(settings)
    if (server.metadata.issuer !== kept.issuer) return
    await revoked(await configured(server, tokens.client), tokens.refresh_token ?? tokens.access_token)
  } catch {
    service.log.info('An authorization server was not told that a connection ended.', { upstream: kept.upstream })
  }
}

interface Noted {
  readonly name: Extract<OperatorAction['name'], `connection_${string}`>
  readonly by: ActingPerson
  readonly because?: ConnectionEnd
}

/** Puts a change of a connection on the trail of its person: which one, never what opens it. */
async function note(service: Service, { connection_id, person, upstream }: Placed, { name, by, because }: Noted) {
  const { principal, credential } = by
  const target = { upstream, connection_id, ...(because && { because }) }
  await service.record({
    draft: {
      ...EMPTY_ENTRY,
      entry_type: 'operator_action',
      actor_key: principal,
      root_principal: person,
      event_class: 'high_risk_success',
      success: true,
      token_id: null,
      delegation_chain: [],
      operated: { name, target },
      timestamp: timestamp(service.now()),
      ...(credential && { credential }),
    },
  })
}
