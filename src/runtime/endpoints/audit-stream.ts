import { QUERY_PARAMETERS, STREAM_FILTERS } from '../../protocol/query-parameters.js'
import { bearerOf, claimsToBeDelegation } from '../credentials/bearer.js'
import { assertStillStanding } from '../auth/token.js'
import { readQuery, type Query } from '../request/query.js'
import { disclosureLevel } from '../errors/disclosure.js'
import { Refusal } from '../errors/refusal.js'
import { inRole } from '../operate/role-of.js'
import { followTrail, sequenceOf, type Shown, type Tail } from '../operate/tail.js'
import { takeStream, takeTail } from '../auth/held-places.js'
import type { Service } from '../service.js'
import { answeredEntry, auditFilterOf } from '../operate/audit.js'
import { matcherOf, type Matches } from './auditor.js'
import { delegationOf } from '../endpoint/delegation.js'
import type { Call, Endpoint } from '../endpoint/endpoint.js'

/**
 * GET /-/audit/stream: entries as they come, of everybody for an auditor, of its root principal for a token, each as
 * the page of the trail would answer it (decisions, section 13). It ends when the credential does.
 */
export const audit_stream: Endpoint = async (service, call) => {
  const isToken = claimsToBeDelegation(bearerOf(call.authorization))
  const { after, ...tail } = isToken ? await ofToken(service, call) : await ofAuditor(service, call)
  return { events: await followTrail(service, { ...tail, after: sequenceOf(call.lastEventId ?? after) }) }
}

type Asked = Pick<Tail, 'takePlace' | 'may'> & { readonly after: string | null }

async function ofToken(service: Service, call: Call): Promise<Asked> {
  const token = await delegationOf(service, call)
  const query = readQuery(call.query, STREAM_FILTERS)
  const { root_principal, caller_class } = token.claims
  const matches = matchesOf(query, root_principal)
  const level = disclosureLevel(service.manifest, caller_class)
  const shown: Shown = (entry) => (matches(entry) ? answeredEntry(entry, level) : undefined)
  return {
    after: query.get('after') ?? null,
    takePlace: () => takeStream(service, token),
    may: whileItHolds(() => assertStillStanding(service, token), shown),
  }
}

async function ofAuditor(service: Service, call: Call): Promise<Asked> {
  const { principal } = await inRole(service, call, 'auditor')
  const query = readQuery(call.query, QUERY_PARAMETERS.audit_stream)
  const matches = matchesOf(query, query.get('principal'))
  const shown: Shown = (entry) => (matches(entry) ? entry : undefined)
  return {
    after: query.get('after') ?? null,
    takePlace: () => takeTail(service, principal),
    may: whileItHolds(() => inRole(service, call, 'auditor'), shown),
  }
}

const matchesOf = (query: Query, rootPrincipal: string | undefined): Matches =>
  matcherOf(query, auditFilterOf(query, 1, rootPrincipal))

/** ms between two looks at whether the credential still stands, which may ask its provider. */
const JUDGED_EVERY_MS = 1000

/** A credential that has ended ends the stream; a store or a provider that cannot say ends it, too. */
function whileItHolds(assertHolds: () => Promise<unknown>, shown: Shown): Tail['may'] {
  let judgedAt = performance.now()
  return async () => {
    if (performance.now() - judgedAt < JUDGED_EVERY_MS) return shown
    judgedAt = performance.now()
    try {
      await assertHolds()
      return shown
    } catch (error) {
      if (error instanceof Refusal) return undefined
      throw error
    }
  }
}
