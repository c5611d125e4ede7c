/** The first start with a `rows` key on a database of an earlier version (decisions, section 20: Upgrade). */
import type { AuditDraft } from '../../protocol/audit.js'
import { EMPTY_ENTRY } from '../../protocol/empty-entry.js'
import { timestamp } from '../json/timestamp.js'
import type { RewrittenRows } from '../rows/row-forms.js'
import { sealEarlierRows } from '../rows/seal-earlier-rows.js'
import type { RowSeal } from '../rows/row-seal.js'
import type { Service } from '../service.js'

/** No capability has such a name, and no refused call succeeds: only this entry is found by it. */
const MARK = { capability: 'svc:rows', success: true } as const

/**
 * Authenticates rows of before, once, and records it. The ring says that there may be such rows: of what the database
 * says of its own age and upgrade, a writer of it can say anything (threat N31).
 */
export async function authenticateEarlierRows(service: Service, seal: RowSeal): Promise<void> {
  const made = upgradedAt(service)
  if (made === undefined || !(await beganBefore(service, made)) || (await isDone(service))) return
  service.log.info('Rows of an earlier version are being authenticated; the service starts when they are.')
  const sealed = await sealEarlierRows(service.storage, seal)
  await service.record({ draft: entryOf(service, sealed) })
  service.log.info('Rows of an earlier version are authenticated. People sign in to the console again.', { ...sealed })
}

/** Returns when a ring of an earlier version was given its `rows` key, while that key authenticates rows of before. */
function upgradedAt({ keys, now }: Service): number | undefined {
  const found = (keys.ring().secrets ?? []).find(({ earlierRowsUntil = 0 }) => now() < earlierRowsUntil)
  return found?.createdAt
}

async function beganBefore({ storage }: Service, made: number): Promise<boolean> {
  const [first] = await storage.audit.texts(1, 1)
  if (first === undefined) return false
  if (first.text === null) return true
  const { timestamp: began } = JSON.parse(first.text) as { readonly timestamp: string }
  return Date.parse(began) < made
}

const isDone = async ({ storage }: Service): Promise<boolean> =>
  (await storage.audit.query({ ...MARK, limit: 1 })).length > 0

function entryOf({ id, now }: Service, sealed: RewrittenRows): AuditDraft {
  const counts = Object.entries(sealed).map(([table, count]) => [table, `${count}`] as const)
  return {
    ...EMPTY_ENTRY,
    entry_type: 'operator_action',
    actor_key: `service:${id}`,
    root_principal: `service:${id}`,
    capability: MARK.capability,
    event_class: 'high_risk_success',
    success: MARK.success,
    token_id: null,
    delegation_chain: [],
    operated: { name: 'rows_authenticated', target: { service_id: id, ...Object.fromEntries(counts) } },
    timestamp: timestamp(now()),
  }
}
