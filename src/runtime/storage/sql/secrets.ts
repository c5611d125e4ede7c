/** Random keys that all replicas share. */
import { textColumn } from './columns.js'
import { keep, row, sendOnly, type Engine, type WriteOutcome, type StoragePlan } from './plan.js'

const INSERT = 'insert into secrets (name, value, made_at) values (?, ?, :now) on conflict (name) do nothing'
const GET = 'select value from secrets where name = ?'

export const secretOf =
  (engine: Engine) =>
  (name: string, candidate: string): Promise<string> =>
    engine.write(() => secret(name, candidate))

function* secret(name: string, candidate: string): StoragePlan<WriteOutcome<string>> {
  yield* sendOnly(INSERT, name, candidate)
  const stored = yield* row(GET, name)
  return keep(textColumn(stored!, 'value'))
}
