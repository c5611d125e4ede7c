/** Subscriptions of sessions to resources: kept in memory, bounded, and told with the next answer to the session. */
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { McpConnection } from './connection.js'
import type { McpOptions } from './options.js'
import { resourceAt } from './resources.js'
import { addressIn } from './uri-template.js'

const MOST_OF_A_SESSION = 100
/** Of all sessions: those that subscribed first are forgotten. */
const MOST_ADDRESSES = 10_000

export interface Subscriptions {
  /** False where the session has as many as it may have. */
  add(session: string, uri: string): boolean
  remove(session: string, uri: string): void
  /** Notes that what is at some addresses has changed. */
  changed(isAt: (uri: string) => boolean): void
  /** Gives the changed addresses that a session has not been told of, once. */
  take(session: string): readonly string[]
}

export function subscriptionsInMemory(): Subscriptions {
  /** Session -> address -> whether it changed since the session was told. */
  const sessions = new Map<string, Map<string, boolean>>()
  let count = 0
  const drop = (session: string): void => {
    count -= sessions.get(session)?.size ?? 0
    sessions.delete(session)
  }
  return {
    add: (session, uri) => {
      const own = sessions.get(session) ?? new Map<string, boolean>()
      if (own.has(uri)) return true
      if (own.size === MOST_OF_A_SESSION) return false
      while (count >= MOST_ADDRESSES) drop(sessions.keys().next().value!)
      sessions.set(session, own.set(uri, false))
      count += 1
      return true
    },
    remove: (session, uri) => {
      if (sessions.get(session)?.delete(uri) !== true) return
      count -= 1
      if (sessions.get(session)!.size === 0) drop(session)
    },
    changed: (isAt) => {
      for (const own of sessions.values()) for (const uri of own.keys()) if (isAt(uri)) own.set(uri, true)
    },
    take: (session) => {
      const own = sessions.get(session) ?? new Map<string, boolean>()
      const told = [...own].flatMap(([uri, isChanged]) => (isChanged ? [uri] : []))
      for (const uri of told) own.set(uri, false)
      return told
    },
  }
}

/** Holds where a resource says what changes it: nobody subscribes to what is never told. */
export const hasChanges = ({ resources = {} }: McpOptions): boolean =>
  Object.values(resources).some(({ changedBy = [] }) => changedBy.length > 0)

export async function subscribe(connection: McpConnection, uri: string): Promise<object> {
  const { session, subscriptions } = connection
  if (session === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidRequest, 'Subscribe in a session.')
  if ((await resourceAt(connection, uri)) === undefined)
    throw new ResourceNotFoundError(uri, 'There is no such resource.')
  if (subscriptions.add(session, uri)) return {}
  const most = `A session subscribes to at most ${MOST_OF_A_SESSION} resources.`
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, most, { uri })
}

export async function unsubscribe({ session, subscriptions }: McpConnection, uri: string): Promise<object> {
  if (session !== undefined) subscriptions.remove(session, uri)
  return {}
}

/** Notes that a capability was called: what it changes has changed, as far as anybody knows. */
export function noteChange({ options: { resources = {} }, subscriptions }: McpConnection, capability: string): void {
  const changed = Object.entries(resources).filter(([, { changedBy = [] }]) => changedBy.includes(capability))
  if (changed.length === 0) return
  subscriptions.changed((uri) => changed.some(([address]) => addressIn(address, uri) !== undefined))
}

/** An answer, after the session was told what has changed, as far as its token may read that still. */
export async function afterChanges<Answer>(
  connection: McpConnection,
  { mcpReq }: ServerContext,
  answer: Promise<Answer>,
): Promise<Answer> {
  const answered = await answer
  const { session, subscriptions } = connection
  if (session === undefined) return answered
  for (const uri of subscriptions.take(session))
    if ((await resourceAt(connection, uri)) !== undefined)
      await mcpReq.notify({ method: 'notifications/resources/updated', params: { uri } })
  return answered
}
