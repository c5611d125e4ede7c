/** Events for operators: listing, and sending again (decisions, section 13). */
import { QUERY_PARAMETERS } from '../../protocol/query-parameters.js'
import { DELIVERY_STATES, EVENT_TYPES, type EventList, type EventResending } from '../../protocol/events.js'
import { membersOf, shortText } from '../request/members.js'
import { countIn, readQuery, textIn, wordIn, type Query } from '../request/query.js'
import { REASON_CHARACTERS } from '../approvals/reason.js'
import { refuse } from '../errors/refusal.js'
import { present } from '../json/present.js'
import { recordAction } from '../operate/record-action.js'
import { inRole } from '../operate/role-of.js'
import { ok, type Endpoint } from '../endpoint/endpoint.js'

const PAGE = { least: 1, most: 1000 } as const
const DEFAULT_PAGE = 100

/** GET /-/events: newest first; bodies are not shown. */
export const operator_events: Endpoint = async (service, call) => {
  await inRole(service, call, 'operator')
  const query = readQuery(call.query, QUERY_PARAMETERS.operator_events)
  const limit = countIn(query, 'limit', PAGE) ?? DEFAULT_PAGE
  const found = await service.storage.outbox.list(
    present({
      state: wordIn(query, 'state', DELIVERY_STATES),
      type: wordIn(query, 'type', EVENT_TYPES),
      target: textIn(query, 'target'),
      before: cursorIn(query),
      limit: limit + 1,
    }),
  )
  const page = found.slice(0, limit)
  const next_cursor = found.length > limit ? String(page.at(-1)!.sequence) : undefined
  const events = page.map(({ sequence: _, ...listed }) => listed)
  return ok(present({ events, count: page.length, next_cursor }) satisfies EventList)
}

function cursorIn(query: Query): number | undefined {
  const text = query.get('cursor')
  if (text === undefined) return undefined
  return /^\d{1,15}$/u.test(text)
    ? Number(text)
    : refuse('invalid_parameters', 'The query parameter cursor must be the next_cursor of the page before.')
}

/** POST /-/events/{id}/resend: to all targets that it went to, or to one. */
export const operator_event_resend: Endpoint = async (service, call) => {
  const operator = await inRole(service, call, 'operator')
  const body = membersOf(await call.body(), ['target', 'reason'])
  const target = shortText(body, 'target')
  const reason =
    shortText(body, 'reason', REASON_CHARACTERS) ??
    refuse('invalid_parameters', 'The member reason is required: say why, the trail keeps it.')
  const event_id = call.segments['id'] ?? ''
  const targets = await service.storage.outbox.resend(event_id, target)
  if (targets.length === 0) return refuse('not_found', 'There is no such event, or none at this target.')
  await recordAction(service, operator, { name: 'event_resent', target: present({ event_id, target }), reason })
  return ok({ event_id, targets } satisfies EventResending)
}
