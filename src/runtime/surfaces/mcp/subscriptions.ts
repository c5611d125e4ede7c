/** Subscriptions of sessions to resources: what has changed is told with the next answer to the session. */
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { reasonOf } from '../../errors/reason.js'
import type { McpConnection } from './connection.js'
import { resourceAt } from './resources.js'
import { MOST_OF_A_SESSION } from './subscription-store.js'

export async function subscribe(connection: McpConnection, uri: string): Promise<object> {
  const { session, subscriptions, token } = connection
  if (session === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidRequest, 'Subscribe in a session.')
  if ((await resourceAt(connection, uri)) === undefined)
    throw new ResourceNotFoundError(uri, 'There is no such resource.')
  if (subscriptions.add(session, uri, token?.claims.root_principal ?? '')) return {}
  const most = `A session subscribes to at most ${MOST_OF_A_SESSION} resources.`
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, most, { uri })
}

export async function unsubscribe({ session, subscriptions }: McpConnection, uri: string): Promise<object> {
  if (session !== undefined) subscriptions.remove(session, uri)
  return {}
}

/**
 * An answer, after the session was told what has changed, as far as its token may read that still. What was done stays
 * done: where nothing can be told, the answer goes without.
 */
export async function afterChanges<Answer>(
  connection: McpConnection,
  context: ServerContext,
  answer: Promise<Answer>,
): Promise<Answer> {
  const answered = await answer
  await tellChanges(connection, context).catch((error: unknown) =>
    connection.service.log.info('A session was not told what has changed.', { error: reasonOf(error) }),
  )
  return answered
}

async function tellChanges(connection: McpConnection, { mcpReq }: ServerContext): Promise<void> {
  const { session, subscriptions } = connection
  if (session === undefined) return
  for (const uri of subscriptions.take(session))
    if ((await resourceAt(connection, uri)) !== undefined)
      await mcpReq.notify({ method: 'notifications/resources/updated', params: { uri } })
}
