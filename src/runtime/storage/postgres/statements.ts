/** The shared SQL as PostgreSQL takes it, each statement prepared once per connection under a name of its own. */
import { translate, type Dialect, type Translated } from '../sql/dialect.js'
import type { Statement, Value } from '../sql/plan.js'

/** The clock is the database's: those of replicas may differ. */
const DIALECT: Dialect = {
  placeholder: (n) => `$${n}`,
  now: 'cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)',
  lock: 'for update',
}

export interface PgQuery {
  readonly name: string
  readonly text: string
  readonly values: Value[]
}

interface Named extends Translated {
  readonly name: string
}

const named = new Map<string, Named>()

function namedStatement(sql: string): Named {
  const known = named.get(sql)
  if (known !== undefined) return known
  const made = { ...translate(sql, DIALECT), name: `svc_${named.size}` }
  named.set(sql, made)
  return made
}

export function queryOf({ sql, values }: Statement): PgQuery {
  const { name, text, slots } = namedStatement(sql)
  return { name, text, values: slots.map((slot) => (slot === 'now' ? null : storable(values[slot] ?? null))) }
}

/** PostgreSQL has no place for NUL in a text; a replacement keeps such an id comparable to itself. */
const storable = (value: Value): Value => (typeof value === 'string' ? value.replaceAll('\0', '\u2400') : value)
