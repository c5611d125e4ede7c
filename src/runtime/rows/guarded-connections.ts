import type { ConnectionStore, KeptConnection, StoredConnection } from '../storage/contract.js'
import { present } from '../json/present.js'
import { over } from './over.js'
import { isGenuine, type RowGuard } from './row-guard.js'

/** Connections that nobody makes, changes or moves to another person by writing to the database (threat N38). */
export const guardedConnections = (connections: ConnectionStore, guard: RowGuard): ConnectionStore => {
  const sealed = (connection: StoredConnection): StoredConnection => ({
    ...connection,
    mac: guard.seal(TABLE, [connection.connection_id], connectionPart(connection)),
  })
  const genuine = (kept: KeptConnection | undefined): KeptConnection | undefined => {
    if (kept === undefined) return undefined
    if (!isGenuine(guard, TABLE, [kept.connection_id], connectionPart(kept), kept.mac)) return undefined
    const { mac: _, ...connection } = kept
    return connection
  }
  return over(connections, {
    put: (connection) => connections.put(sealed(connection)),
    get: async (id) => genuine(await connections.get(id)),
    of: async (person, upstream) => genuine(await connections.of(person, upstream)),
    list: async (filter) => (await connections.list(filter)).flatMap((kept) => genuine(kept) ?? []),
    endRenewal: (connection, owner) => connections.endRenewal(sealed(connection), owner),
    reencrypt: (connection) => connections.reencrypt(sealed(connection)),
    end: (connection, because, renewingMs) => connections.end(sealed(connection), because, renewingMs),
  })
}

const TABLE = 'connections'

/** All of a connection that only its renewals change. */
export const connectionPart = (connection: StoredConnection): unknown => {
  const { connection_id, person, upstream, revision, account, scopes, issuer, connected_at, sealed } = connection
  return present({ connection_id, person, upstream, revision, account, scopes, issuer, connected_at, sealed })
}
