/** Retention: erases what entries say, never that they were, nor their hashes; so every proof stays valid. */
import { integer } from './columns.js'
import { padded } from './insert-many.js'
import { keep, rows, tell, type Outcome, type Plan, type Value } from './plan.js'

const OLD = 'select sequence from audit_index where capability = ? and recorded_at < ? order by recorded_at limit ?'
const OLD_WITHOUT_CAPABILITY = `
  select sequence from audit_index
  where capability is null and root_principal is not null and recorded_at < ? order by recorded_at limit ?`

export function* erase(capability: string | null, before: string, limit: number): Plan<Outcome<number>> {
  const time = Date.parse(before)
  const old =
    capability === null ? yield* rows(OLD_WITHOUT_CAPABILITY, time, limit) : yield* rows(OLD, capability, time, limit)
  const sequences = old.map((entry) => integer(entry, 'sequence'))
  if (sequences.length > 0) yield* eraseAll(sequences)
  return keep(sequences.length)
}

function* eraseAll(sequences: readonly Value[]): Plan<void> {
  const { marks, values } = padded(sequences)
  yield* tell(`update audit_entries set text = null where sequence in (${marks})`, ...values)
  yield* tell(
    `update audit_index set root_principal = null, capability = null, event_class = null, success = null,
      client_reference_id = null, task_id = null, parent_invocation_id = null, approval_request_id = null
    where sequence in (${marks})`,
    ...values,
  )
}
