import type { AnsweredEntry, AuditEntry } from '../../protocol/audit.js'
import { answeredEntry, trailOf } from '../../runtime/operate/audit.js'
import { disclosureLevel } from '../../runtime/errors/disclosure.js'
import { refuse } from '../../runtime/errors/refusal.js'
import type { HttpResponse } from '../../runtime/http/exchange.js'
import { eventStream, jsonResponse } from '../../runtime/http/response.js'
import { followTrail, sequenceOf, type Shown } from '../../runtime/operate/tail.js'
import { takeTail } from '../../runtime/auth/held-places.js'
import { askOnBehalf } from './on-behalf.js'
import { personOf, type Person } from '../session/person.js'
import type { Setting } from '../setting.js'
import type { ConsoleRoute, SignedInVisit } from '../visit.js'
import { exported } from './trail-export.js'

/** The trail: everybody's for an auditor, one's own for everybody else, as the service would answer it. */
export const trailRoutes: readonly ConsoleRoute[] = [
  { method: 'GET', path: '/api/trail', isPassive: true, signedIn: (visit) => pageOf(visit, visit.query) },
  { method: 'GET', path: '/api/trail/stream', isPassive: true, signedIn: stream },
  { method: 'GET', path: '/api/trail/export', signedIn: (visit) => exported(visit, (query) => readPage(visit, query)) },
]

const isAuditor = ({ known }: Person): boolean => known.roles?.includes('auditor') === true

async function pageOf(visit: SignedInVisit, query: URLSearchParams): Promise<HttpResponse> {
  const { person, setting, whenLeft } = visit
  if (isAuditor(person)) return askOnBehalf(visit, 'auditor_trail', { query })
  const page = await trailOf(setting.service, person.known.principal, undefined, query, whenLeft)
  return jsonResponse(200, JSON.stringify(page))
}

/** A page as it is read for a file or a count; whoever is no longer signed in gets none. */
export async function readPage({ setting, request, segments }: SignedInVisit, query: URLSearchParams) {
  const person = (await personOf(setting, request)) ?? refuse('authentication_required', 'Your session has ended.')
  const { body } = await pageOf({ setting, request, query, segments, person }, query)
  return JSON.parse(String(body)) as { readonly entries: readonly AnsweredEntry[]; readonly next_cursor?: string }
}

/** New entries as they come, from the one that a page has seen last. */
async function stream({ setting, request, query, person }: SignedInVisit): Promise<HttpResponse> {
  const events = await followTrail(setting.service, {
    takePlace: () => takeTail(setting.service, person.known.principal),
    after: sequenceOf(request.header('last-event-id') ?? query.get('after')),
    may: async () => shownTo(setting, await personOf(setting, request)),
  })
  return eventStream(events)
}

function shownTo({ service }: Setting, person: Person | undefined): Shown | undefined {
  if (person === undefined) return undefined
  if (isAuditor(person)) return (entry) => entry
  const level = disclosureLevel(service.manifest, undefined)
  const { principal } = person.known
  return (entry: AuditEntry) => (entry.root_principal === principal ? answeredEntry(entry, level) : undefined)
}
