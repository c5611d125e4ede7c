/** Accounts of people at upstream systems (decisions, section 19). A renewal is a lease on the row. */
import type { ConnectionEnd, ConnectionState } from '../../../protocol/connections.js'
import type { Principal } from '../../../protocol/principals.js'
import type { ConnectionFilter, ConnectionStore, KeptConnection, StoredConnection } from '../connection-store.js'
import { json, optionalInteger, optionalText, textColumn } from './columns.js'
import {
  keep,
  row,
  rows,
  sendOnly,
  type Engine,
  type Row,
  type StoragePlan,
  type Value,
  type WriteOutcome,
} from './plan.js'

const COLUMNS = `
  connection_id, person, upstream, revision, body, state, ended_because, :now - renewing_at as renewing_ms, wanted,
  last_used_at, last_used_by`

const PUT = `
  insert into connections (connection_id, person, upstream, revision, body, state) values (?, ?, ?, ?, ?, 'connected')
  on conflict (person, upstream) do update set connection_id = excluded.connection_id, revision = excluded.revision,
    body = excluded.body, state = 'connected', ended_because = null, renewing_by = null, renewing_at = null,
    wanted = null, last_used_at = null, last_used_by = null`

const GET = `select ${COLUMNS} from connections where connection_id = ?`
const OF = `select ${COLUMNS} from connections where person = ? and upstream = ?`

const BEGIN = `
  update connections set state = 'renewing', renewing_by = ?, renewing_at = :now
  where connection_id = ? and revision = ? and state = 'connected' returning connection_id`

const RENEWED = `
  update connections set state = 'connected', renewing_by = null, renewing_at = null, revision = ?, body = ?
  where connection_id = ? and revision = ? and state = 'renewing' and renewing_by = ? returning connection_id`

const REENCRYPTED = `
  update connections set revision = ?, body = ?
  where connection_id = ? and revision = ? and state = 'connected' returning connection_id`

const ABANDON = `
  update connections set state = 'connected', renewing_by = null, renewing_at = null
  where connection_id = ? and state = 'renewing' and renewing_by = ?`

const END = `
  update connections set state = 'ended', ended_because = ?, renewing_by = null, renewing_at = null, body = ?
  where connection_id = ? and revision = ? and state <> 'ended'`

const WANT = 'update connections set wanted = ? where connection_id = ?'
const USED = 'update connections set last_used_at = ?, last_used_by = ? where connection_id = ?'

export const connectionStore = (engine: Engine): ConnectionStore => ({
  put: (connection) => engine.writeSingly(() => put(connection)),
  get: (id) => engine.read(() => found(GET, id)),
  of: (person, upstream) => engine.read(() => found(OF, person, upstream)),
  list: (filter) => engine.search(() => list(filter)),
  beginRenewal: (id, revision, owner) => engine.writeSingly(() => changed(BEGIN, owner, id, revision)),
  endRenewal: (connection, owner) => engine.writeSingly(() => endRenewal(connection, owner)),
  reencrypt: (connection) => engine.writeSingly(() => reencrypt(connection)),
  abandonRenewal: (id, owner) => engine.writeSingly(() => sent(ABANDON, id, owner)),
  end: (connection, because, renewingMs) => engine.writeSingly(() => end(connection, because, renewingMs)),
  want: (id, scopes) => engine.writeSingly(() => sent(WANT, JSON.stringify(scopes), id)),
  used: (id, by, at) => engine.writeSingly(() => sent(USED, at, by, id)),
})

function* sent(sql: string, ...values: readonly Value[]): StoragePlan<WriteOutcome<void>> {
  yield* sendOnly(sql, ...values)
  return keep(undefined)
}

function* changed(sql: string, ...values: readonly Value[]): StoragePlan<WriteOutcome<boolean>> {
  return keep((yield* row(sql, ...values)) !== undefined)
}

const put = (connection: StoredConnection): StoragePlan<WriteOutcome<void>> => {
  const { connection_id, person, upstream, revision } = connection
  return sent(PUT, connection_id, person, upstream, revision, JSON.stringify(connection))
}

const endRenewal = (connection: StoredConnection, owner: string): StoragePlan<WriteOutcome<boolean>> => {
  const { connection_id, revision } = connection
  return changed(RENEWED, revision, JSON.stringify(connection), connection_id, revision - 1, owner)
}

const reencrypt = (connection: StoredConnection): StoragePlan<WriteOutcome<boolean>> => {
  const { connection_id, revision } = connection
  return changed(REENCRYPTED, revision, JSON.stringify(connection), connection_id, revision - 1)
}

function end(
  connection: StoredConnection,
  because: ConnectionEnd,
  renewingMs: number | undefined,
): StoragePlan<WriteOutcome<boolean>> {
  const { connection_id, revision } = connection
  const values = [because, JSON.stringify(connection), connection_id, revision]
  if (renewingMs === undefined) return changed(`${END} returning connection_id`, ...values)
  const late = `and state = 'renewing' and renewing_at <= cast(:now as bigint) - cast(? as bigint)`
  return changed(`${END} ${late} returning connection_id`, ...values, renewingMs)
}

function* found(sql: string, ...values: readonly Value[]): StoragePlan<KeptConnection | undefined> {
  const stored = yield* row(sql, ...values)
  return stored && connectionOfRow(stored)
}

function* list({ person, upstream, after = '', limit }: ConnectionFilter): StoragePlan<readonly KeptConnection[]> {
  const filters = [
    ...(person === undefined ? [] : [['person', person] as const]),
    ...(upstream === undefined ? [] : [['upstream', upstream] as const]),
  ]
  const more = filters.map(([column]) => `and ${column} = ?`).join(' ')
  const sql = `select ${COLUMNS} from connections where connection_id > ? ${more} order by connection_id limit ?`
  return (yield* rows(sql, after, ...filters.map(([, value]) => value), limit)).map(connectionOfRow)
}

/** The columns find the row; where the text that is authenticated says otherwise, its MAC counts for nothing. */
function connectionOfRow(stored: Row): KeptConnection {
  const { mac, ...body } = json<StoredConnection>(stored, 'body')
  const isOne = (['connection_id', 'person', 'upstream', 'revision'] as const).every(
    (column) => stored[column] === body[column],
  )
  const [because, by] = [optionalText(stored, 'ended_because'), optionalText(stored, 'last_used_by')]
  const [renewingMs, usedAt] = [optionalInteger(stored, 'renewing_ms'), optionalInteger(stored, 'last_used_at')]
  return {
    ...body,
    ...(isOne && mac !== undefined && { mac }),
    state: textColumn(stored, 'state') as ConnectionState,
    wanted: optionalText(stored, 'wanted') === null ? [] : json<readonly string[]>(stored, 'wanted'),
    ...(because !== null && { ended_because: because as ConnectionEnd }),
    ...(renewingMs !== undefined && { renewing_ms: renewingMs }),
    ...(usedAt !== undefined && { last_used_at: usedAt }),
    ...(by !== null && { last_used_by: by as Principal }),
  }
}
