/** Asks PostgreSQL one thing; whatever goes wrong there is told in the words of the contract. */
import type { ClientBase } from 'pg'
import { StorageUnavailable } from '../contract.js'
import type { Rows, Statement } from '../sql/plan.js'
import { queryOf } from './statements.js'

export async function ask(client: ClientBase, statement: Statement): Promise<Rows> {
  try {
    return (await client.query(queryOf(statement))).rows
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
  new StorageUnavailable(`PostgreSQL could not answer: ${error instanceof Error ? error.message : String(error)}`, {
    cause: error,
  })
