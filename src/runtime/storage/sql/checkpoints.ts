/** Signed checkpoints over the audit trail (section 2.15). */
import type { Checkpoint } from '../../../protocol/audit.js'
import type { CheckpointStore } from '../contract.js'
import { json } from './columns.js'
import { keep, row, rows, type Engine, type WriteOutcome, type StoragePlan } from './plan.js'

const INSERT = `
  insert into checkpoints (sequence, checkpoint_id, entry_count, body)
  select cast(? as bigint), cast(? as text), cast(? as bigint), cast(? as text)
  where (select coalesce(max(sequence), 0) from checkpoints) = cast(? as bigint) - 1
  on conflict do nothing returning sequence`

const LIST = 'select body from checkpoints where sequence < cast(? as bigint) order by sequence desc limit ?'
const GET = 'select body from checkpoints where checkpoint_id = ?'

export const checkpointStore = (engine: Engine): CheckpointStore => ({
  insert: (checkpoint) => engine.writeSingly(() => insert(checkpoint)),
  latest: async () => (await engine.read(() => list(1)))[0],
  get: (id) => engine.read(() => get(id)),
  list: (limit, before) => engine.search(() => list(limit, before)),
})

function* insert(checkpoint: Checkpoint): StoragePlan<WriteOutcome<boolean>> {
  const { sequence, checkpoint_id, entry_count } = checkpoint
  const body = JSON.stringify(checkpoint)
  return keep((yield* row(INSERT, sequence, checkpoint_id, entry_count, body, sequence)) !== undefined)
}

function* list(limit: number, before = Number.MAX_SAFE_INTEGER): StoragePlan<readonly Checkpoint[]> {
  return (yield* rows(LIST, before, limit)).map((stored) => json<Checkpoint>(stored, 'body'))
}

function* get(id: string): StoragePlan<Checkpoint | undefined> {
  const stored = yield* row(GET, id)
  return stored === undefined ? undefined : json<Checkpoint>(stored, 'body')
}
