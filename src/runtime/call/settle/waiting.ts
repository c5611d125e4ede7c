/** Entries that could not be recorded at once, and wait for the store. */
import type { AuditDraft } from '../../../protocol/audit.js'
import { isUnwritable } from '../../audit/recorder.js'
import { reasonOf } from '../../errors/reason.js'
import type { Service } from '../../service.js'
import type { SealedEntry, Settlement } from '../../storage/contract.js'
import { retractKey } from './retract-key.js'

/**
 * Records outcomes that could not be recorded when they came about, in their order; stops at the first that still
 * cannot.
 */
export function recordUnrecorded(service: Service): Promise<void> {
  const known = UNDER_WAY.get(service.unrecorded)
  if (known !== undefined) return known
  const work = recordInOrder(service).finally(() => UNDER_WAY.delete(service.unrecorded))
  UNDER_WAY.set(service.unrecorded, work)
  return work
}

/** Records what must not be missing: what holds a text that has no canonical form without its texts, and says so. */
export async function recordAnyhow(
  { record, log }: Pick<Service, 'record' | 'log'>,
  settlement: Settlement,
): Promise<SealedEntry | undefined> {
  try {
    return await record(settlement)
  } catch (error) {
    if (!isUnwritable(error)) throw error
    const { draft } = settlement
    log.error('An entry cannot be written down with its texts, and is recorded without them.', {
      invocation_id: draft.invocation_id,
      error: reasonOf(error),
    })
    return record({ ...settlement, draft: { ...draft, parameters: {}, detail: WITHOUT_TEXTS } })
  }
}

const WITHOUT_TEXTS = 'Its texts cannot be written down: one holds half of a surrogate pair.'

/**
 * Puts on the trail what is done already, and will not be told again: what it cannot take now waits until it can.
 * Rejects with why it could not.
 */
export async function recordOrWait(
  { record, alarms, unrecorded }: Pick<Service, 'record' | 'alarms' | 'unrecorded'>,
  drafts: readonly AuditDraft[],
): Promise<void> {
  let recorded = 0
  try {
    for (; recorded < drafts.length; recorded++) await record({ draft: drafts[recorded]! })
  } catch (error) {
    alarms.add('audit_unavailable')
    unrecorded.push(...drafts.slice(recorded).map((draft) => ({ draft })))
    throw error
  }
}

/** Of those that wait: whoever is recording them, so that nobody records one twice. */
const UNDER_WAY = new WeakMap<readonly Settlement[], Promise<void>>()

async function recordInOrder(service: Service): Promise<void> {
  const { unrecorded } = service
  while (unrecorded.length > 0) {
    const [settlement] = unrecorded
    if ((await recordAnyhow(service, settlement!)) === undefined) await retractKey(service, settlement!)
    unrecorded.shift()
  }
  service.alarms.clear('audit_unavailable')
}
