import pg from 'pg'

/** The business data lies in the database of the service, in tables of its own. The service itself has its own connections. */
const database = new pg.Pool({ connectionString: process.env['SVC_DATABASE'], max: 4, allowExitOnIdle: true })

const SCHEMA = `
  create table if not exists stock (item text primary key, quantity integer not null check (quantity >= 0));
  create table if not exists reservations (
    reservation_id text primary key, item text not null references stock, quantity integer not null check (quantity > 0)
  );
  insert into stock values ('chair', 4), ('lamp', 1), ('table', 0) on conflict do nothing`

/** Makes the tables where they are absent. One replica at a time. */
export async function prepareStock(): Promise<void> {
  const client = await database.connect()
  try {
    await client.query(`begin; select pg_advisory_xact_lock(4100); ${SCHEMA}; commit`)
  } finally {
    client.release()
  }
}

/** How many of an item are left. */
export async function quantityOf(item: string): Promise<number> {
  const { rows } = await database.query<{ quantity: number }>('select quantity from stock where item = $1', [item])
  return rows[0]?.quantity ?? 0
}

/** How many are left after a reservation; undefined when there were too few. One statement, so replicas cannot race. */
export async function reserve(id: string, item: string, count: number): Promise<number | undefined> {
  const { rows } = await database.query<{ quantity: number }>(
    `with taken as (
       update stock set quantity = quantity - $3 where item = $2 and quantity >= $3 returning item, quantity
     ), noted as (
       insert into reservations select $1, item, $3 from taken
     )
     select quantity from taken`,
    [id, item, count],
  )
  return rows[0]?.quantity
}
