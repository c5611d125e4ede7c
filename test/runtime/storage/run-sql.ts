import pg from 'pg'

export type SqlRow = { readonly [name: string]: unknown }

/** Runs SQL on a connection of its own. */
export async function runSql(connectionString: string, sql: string): Promise<readonly SqlRow[]> {
  const client = await connected(connectionString)
  return (await client.query(sql).finally(() => client.end())).rows
}

/** A connection whose end is no matter to a test. */
export async function connected(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => undefined)
  await client.connect()
  return client
}
