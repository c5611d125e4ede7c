/**
 * One connection for reads by key, on which questions do not wait for each other's answers. It comes back by itself.
 */
import type pg from 'pg'
import { StorageUnavailable } from '../contract.js'
import type { Rows, Statement } from '../sql/plan.js'
import { ask, unavailable } from './ask.js'
import type { Driver } from './driver.js'

export interface Reader {
  ask(statement: Statement): Promise<Rows>
  close(): Promise<void>
}

export function startReader({ Client }: Driver, config: pg.ClientConfig): Reader {
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

  return {
    ask: async (statement) => ask(await connected(), statement),
    close: async () => {
      closed = true
      const client = await connection?.catch(() => undefined)
      await client?.end()
    },
  }
}
