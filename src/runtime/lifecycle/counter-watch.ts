/**
 * Compares counters of the database with the trail (security, N08): what was spent under a token, how often a grant was
 * used, and what was revoked. What the database says less of was set back; it ends at once, with an entry, an alarm and
 * a line in the log.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { tallies, type GrantTally, type TokenTally } from '../../crypto/trail/tallies.js'
import type { AuditDraft } from '../../protocol/audit.js'
import type { JsonObject } from '../../protocol/manifest.js'
import { fromMinorUnits } from '../../protocol/money.js'
import { EMPTY_ENTRY } from '../../protocol/empty-entry.js'
import { timestamp } from '../json/timestamp.js'
import type { Service } from '../service.js'
import type { AllowanceStore } from '../storage/contract.js'

export type Watched = Pick<Service, 'capabilities' | 'manifest' | 'storage' | 'record' | 'alarms' | 'log' | 'now'>

/** Of the text of entries that may tell of an allowance; others need not be parsed. JCS form has no spaces. */
const SPEAKS =
  /"cost_actual":\{|"approval_grant_id":"|"failure_type":"outcome_unknown"|"name":"invocation_resolved"|"entry_type":"(?:token_revoked|integrity_failure|approval_withdrawn)"/u

/** Entries that are read in one turn of the event loop. */
const AT_ONCE = 2_000
const DAY_MS = 24 * 3600_000
const SHORTEST_MS = 7 * DAY_MS

/** As far back as a token or a grant may be from that has not expired. */
function windowOf({ capabilities, manifest }: Watched): number {
  const seconds = [...capabilities.values()].map(({ approval }) => approval?.grant_policy.expires_in_seconds ?? 0)
  return Math.max(SHORTEST_MS, manifest.limits.max_ttl_hours * 3600_000, ...seconds.map((each) => each * 1000)) + DAY_MS
}

export function counterWatch(service: Watched): Service['counters'] {
  const { audit } = service.storage
  const known = tallies()
  const windowMs = windowOf(service)
  let next: number | undefined

  const readOn = async (): Promise<void> => {
    const begin = service.now() - windowMs
    next ??= await audit.firstSince(begin)
    const last = await audit.size()
    for (; next <= last; await turn()) {
      const to = Math.min(next + AT_ONCE - 1, last)
      for (const { text } of await audit.texts(next, to - next + 1))
        if (text !== null && SPEAKS.test(text)) known.note(JSON.parse(text) as JsonObject)
      next = to + 1
    }
    known.forgetBefore(begin)
  }

  return {
    compare: async () => {
      await readOn()
      return (await compareTokens(service, known.tokens)) + (await compareGrants(service, known.grants))
    },
  }
}

async function compareTokens(service: Watched, known: ReadonlyMap<string, TokenTally>): Promise<number> {
  const { allowances } = service.storage
  const now = service.now()
  let ended = 0
  for (const [id, stored] of await allowances.tokens([...known.keys()])) {
    const tally = known.get(id)!
    if (stored.isRevoked || stored.expiresAt <= now) continue
    const trouble = tally.isRevoked
      ? `The token ${id} was revoked, and the database says that it stands.`
      : lessSpent(id, tally, stored)
    if (trouble === undefined || !(await allowances.endToken(id, now))) continue
    await report(service, trouble, {
      root_principal: tally.rootPrincipal,
      failure_type: 'token_revoked',
      token_id: id,
      delegation_chain: [id],
    })
    ended++
  }
  return ended
}

function lessSpent(id: string, { spent }: TokenTally, { currency, spentUnits }: StoredToken): string | undefined {
  const units = currency === undefined ? undefined : spent.get(currency)
  if (units === undefined || units <= spentUnits) return undefined
  const [said, was] = [spentUnits, units].map((each) => fromMinorUnits(each, currency!).amount)
  return `Under the token ${id} ${was} ${currency} were spent, and the database says ${said}.`
}

type StoredToken =
  Awaited<ReturnType<AllowanceStore['tokens']>> extends ReadonlyMap<string, infer Token> ? Token : never

async function compareGrants(service: Watched, known: ReadonlyMap<string, GrantTally>): Promise<number> {
  const { allowances } = service.storage
  const now = service.now()
  let ended = 0
  for (const [id, stored] of await allowances.grants([...known.keys()])) {
    const tally = known.get(id)!
    if (stored.isRevoked || stored.expiresAt <= now || (!tally.isRevoked && tally.uses <= stored.uses)) continue
    const trouble = tally.isRevoked
      ? `The grant ${id} was taken back, and the database says that it stands.`
      : `The grant ${id} was used ${tally.uses} times, and the database says ${stored.uses}.`
    if (!(await allowances.endGrant(id))) continue
    await report(service, trouble, {
      root_principal: tally.rootPrincipal,
      failure_type: 'approval_grant_invalid',
      approval_grant_id: id,
      approval_request_id: tally.requestId,
    })
    ended++
  }
  return ended
}

type Affected = Pick<AuditDraft, 'root_principal' | 'failure_type'> & Partial<AuditDraft>

/** What was set back once is ended for good, also for a later start, which reads so on the trail. */
async function report(service: Watched, trouble: string, affected: Affected): Promise<void> {
  service.alarms.add('counters_altered')
  const detail = `${trouble} It has ended.`
  const draft: AuditDraft = {
    ...EMPTY_ENTRY,
    entry_type: 'integrity_failure',
    actor_key: 'service:integrity',
    event_class: 'high_risk_failure',
    success: false,
    token_id: null,
    delegation_chain: [],
    detail,
    timestamp: timestamp(service.now()),
    ...affected,
  }
  service.log.error('A counter of the database was set back: what it is about has ended.', { detail })
  await service.record({ draft })
}
