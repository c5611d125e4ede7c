/**
 * One connection for reads by key, on which questions do not wait for each other's answers. It comes back by itself.
 */
import type pg from 'pg'
import { StorageUnavailable } from '../contract.js'
import type { Rows, Statement } from '../sql/plan.js'
import { unavailable, type Ask } from './ask.js'
import type { PgDriver } from './driver.js'

export interface Reader {
  ask(statement: Statement): Promise<Rows>
  close(): Promise<void>
}

/** The socket of a client, which the driver has and its types do not. */
interface Socketed {
  readonly connection: { readonly stream: { destroy(): void } }
}

/** What the driver says of a question that was not answered in time. */
const isSilence = (error: unknown): boolean =>
  error instanceof StorageUnavailable && error.cause instanceof Error && error.cause.message === 'Query read timeout'

export function startReader({ Client }: PgDriver, config: pg.ClientConfig, ask: Ask): Reader {
  let connection: Promise<pg.Client> | undefined
  let closed = false

  const forget = (lost: Promise<pg.Client>): void => {
    if (connection === lost) connection = undefined
  }

  const connected = (): Promise<pg.Client> => {
    if (closed) throw new StorageUnavailable('The storage is closed.')
    if (connection !== undefined) return connection
    const client = new Client({ ...config, pipeline: true })
    const connecting: Promise<pg.Client> = client.connect().then(
      () => client,
      (error: unknown) => {
        forget(connecting)
        throw unavailable(error)
      },
    )
    client.on('error', () => forget(connecting))
    client.on('end', () => forget(connecting))
    connection = connecting
    return connecting
  }

  /**
   * A connection that gave no answer in time may be cut off: it is not asked again, and nobody waits for the network.
   */
  const giveUp = (silent: pg.Client, used: Promise<pg.Client> | undefined): void => {
    if (used !== undefined) forget(used)
    ;(silent as pg.Client & Socketed).connection.stream.destroy()
  }

  return {
    ask: async (statement) => {
      const client = await connected()
      const used = connection
      try {
        return await ask(client, statement)
      } catch (error) {
        if (isSilence(error)) giveUp(client, used)
        throw error
      }
    },
    close: async () => {
      closed = true
      const client = await connection?.catch(() => undefined)
      await client?.end()
    },
  }
}
