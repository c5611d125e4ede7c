/** Asks PostgreSQL one thing; whatever goes wrong there is told in the words of the contract. */
import type { ClientBase, QueryConfig } from 'pg'
import { StorageUnavailable } from '../contract.js'
import type { Rows, Statement, Value } from '../sql/plan.js'
import { queryOf } from './statements.js'

/** How a statement is run on a connection. */
export type Ask = (client: ClientBase, statement: Statement) => Promise<Rows>

export const runStatement: Ask = (client, statement) => send(client, queryOf(statement))

/**
 * Without keeping the statement prepared: for those whose text depends on what is asked, of which there may be many, and
 * for connections that are lent for a transaction only.
 */
export function askUnprepared(client: ClientBase, statement: Statement): Promise<Rows> {
  const { text, values } = queryOf(statement)
  return send(client, { text, values })
}

async function send(client: ClientBase, query: QueryConfig<Value[]>): Promise<Rows> {
  try {
    return (await client.query(query)).rows
  } catch (error) {
    throw unavailable(error)
  }
}

/** `begin`, `commit` and their like; gives what the server says it did. */
export async function control(client: ClientBase, sql: 'begin' | 'commit' | 'rollback'): Promise<string> {
  try {
    return (await client.query(sql)).command
  } catch (error) {
    throw unavailable(error)
  }
}

export const unavailable = (error: unknown): StorageUnavailable =>
  error instanceof StorageUnavailable
    ? error
    : new StorageUnavailable(`PostgreSQL could not answer: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      })
