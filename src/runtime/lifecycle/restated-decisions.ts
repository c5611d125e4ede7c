/** Repeats on the trail what is in force for long, so that each start finds it among the entries that it reads. */
import type { Decisions } from '../../crypto/trail/decisions.js'
import type { OperatorAction } from '../../protocol/operator.js'
import { actionDraft } from '../operate/record-action.js'
import type { Service } from '../service.js'

/** A row is on the trail so soon after it was written. */
const RECORDED_WITHIN_MS = 60_000

/** Records blocks and pauses that are in force, and whose newest entry is older than this, or not known. */
export async function restate(
  service: Pick<Service, 'id' | 'storage' | 'record' | 'now'>,
  { blocks, pauses }: Decisions,
  olderMs: number,
): Promise<void> {
  const { id, storage, record, now } = service
  const isDue = (at: number | undefined, madeAt: string): boolean =>
    at === undefined ? now() - Date.parse(madeAt) > RECORDED_WITHIN_MS : now() - at > olderMs
  const due: OperatorAction[] = []
  for (const { block_id, kind, value, reason, created_at, isForged } of await storage.standing.blocks())
    if (isForged !== true && blocks.get(block_id)?.isLifted !== true && isDue(blocks.get(block_id)?.at, created_at))
      due.push({ name: 'block_in_force', target: { [kind]: value }, reason, block_id })
  for (const { capability, reason, paused_at, isForged } of await storage.standing.pauses())
    if (isForged !== true && pauses.get(capability)?.isResumed !== true && isDue(pauses.get(capability)?.at, paused_at))
      due.push({ name: 'pause_in_force', target: { capability }, reason })
  for (const operated of due) await record({ draft: actionDraft(service, { principal: `service:${id}` }, operated) })
}
