/**
 * Compares the database with the trail. Counters (security, N08): what was spent under a token, how often a grant was
 * used, and what was revoked; what the database says less of was set back, and ends at once. Decisions that take
 * authority away (N31): where a row is missing or says less, it is put back. Each leaves an entry, an alarm and a line
 * in the log.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { DECIDES, decisionsOnTrail } from '../../crypto/trail/decisions.js'
import { tallies, type GrantTally, type TokenTally } from '../../crypto/trail/tallies.js'
import type { AuditDraft } from '../../protocol/audit.js'
import type { Json, JsonObject } from '../../protocol/manifest.js'
import { isRecord } from '../../crypto/json/kinds.js'
import { fromMinorUnits } from '../../protocol/money.js'
import { EMPTY_ENTRY } from '../../protocol/empty-entry.js'
import { recordOrWait } from '../call/settle/waiting.js'
import { timestamp } from '../json/timestamp.js'
import type { Service } from '../service.js'
import { StorageUnavailable, type AllowanceStore } from '../storage/contract.js'
import { alteredDecisions } from './decision-comparison.js'
import { restate } from './restated-decisions.js'

export type Watched = Pick<
  Service,
  'id' | 'capabilities' | 'manifest' | 'storage' | 'record' | 'unrecorded' | 'alarms' | 'log' | 'now'
> & { readonly scanRows?: () => Promise<void> }

/** Of the text of entries that may tell of an allowance; others need not be parsed. JCS form has no spaces. */
const SPEAKS =
  /"cost_(?:charged|held)":\{|"approval_grant_id":"|"failure_type":"outcome_unknown"|"name":"(?:invocation_resolved|tokens_revoked|api_key_ended)"|"entry_type":"(?:token_revoked|integrity_failure|approval_withdrawn)"/u

/** Entries that are read in one turn of the event loop, and no more bytes than a page has. */
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
  const decided = decisionsOnTrail()
  const windowMs = windowOf(service)
  let next: number | undefined

  const readOn = async (): Promise<void> => {
    const begin = service.now() - windowMs
    next ??= await audit.firstSince(Math.min(service.now(), await newestTime(service)) - windowMs)
    const last = await audit.size()
    for (; next <= last; await turn()) {
      const page = await audit.texts(next, Math.min(AT_ONCE, last - next + 1))
      for (const { text, sequence } of page) {
        if (text === null || !(SPEAKS.test(text) || DECIDES.test(text))) continue
        const entry = entryIn(text)
        if (entry === undefined) {
          reportUnreadable(service, sequence)
          continue
        }
        known.note(entry)
        decided.note(entry)
      }
      next = (page.at(-1)?.sequence ?? last) + 1
    }
    known.forgetBefore(begin)
    decided.forgetBefore(begin)
  }

  const compareTokens = async (scope: Scope): Promise<number> => {
    const { allowances } = service.storage
    let suspects = await suspectTokens(service, known.tokens, [...within(scope, known.tokens).keys()])
    let ended = 0
    // What a call held may have been given back between the reading of the trail and that of the counters.
    for (let look = 0; look < LOOKS && suspects.length > 0; look++) {
      await readOn()
      const isCertain = ({ id, resolved }: SuspectToken) => known.tokens.get(id)?.resolved === resolved
      const end = (id: string) => allowances.endToken(id, service.now())
      ended += await endAll(service, suspects.filter(isCertain), end)
      const others = suspects.filter((each) => !isCertain(each)).map(({ id }) => id)
      suspects = await suspectTokens(service, known.tokens, others)
    }
    return ended
  }

  /** Compares decisions twice: one made between the readings is in the trail before its row changes. */
  const compareDecisions = async (): Promise<number> => {
    if ((await alteredDecisions(service, decided)).length === 0) return 0
    await readOn()
    let restored = 0
    for (const { trouble, affected, restore } of await alteredDecisions(service, decided)) {
      if (!(await restore())) continue
      await report(service, 'rows_altered', `${trouble} It was put back.`, affected)
      restored++
    }
    return restored
  }

  const compare = async (scope: Scope): Promise<number> => {
    await readOn()
    const grants = await suspectGrants(service, within(scope, known.grants))
    const ended = await endAll(service, grants, (id) => service.storage.allowances.endGrant(id))
    const allEnded = ended + (await compareTokens(scope))
    const restored = await compareDecisions()
    await restate(service, decided, windowMs / 2)
    await service.scanRows?.()
    return allEnded + restored
  }

  return {
    compare: (scope = 'all') =>
      compare(scope).catch((error: unknown) => {
        if (!(error instanceof StorageUnavailable)) service.alarms.add('rows_altered')
        throw error
      }),
  }
}

/** Returns the entry that a text holds; a writer of the database may have put any text there. */
function entryIn(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Reports an entry that no service wrote: the comparison goes on with the others. */
function reportUnreadable({ alarms, log }: Watched, sequence: number): void {
  alarms.add('trail_altered')
  log.error('An entry of the trail is not as a service writes it. Run svc audit verify.', { sequence })
}

type Scope = NonNullable<Parameters<Service['counters']['compare']>[0]>

const within = <Tally extends { readonly isRevoked: boolean }>(scope: Scope, known: ReadonlyMap<string, Tally>) =>
  scope === 'all' ? known : new Map([...known].filter(([, { isRevoked }]) => isRevoked))

/** A token under which calls are resolved all the while is judged a minute later. */
const LOOKS = 3

/** An allowance of which the database says less than the trail does. */
interface Suspect {
  readonly id: string
  readonly trouble: string
  readonly affected: Affected
}

interface SuspectToken extends Suspect {
  readonly resolved: number
}

async function endAll(
  service: Watched,
  suspects: readonly Suspect[],
  end: (id: string) => Promise<boolean>,
): Promise<number> {
  let ended = 0
  for (const { id, trouble, affected } of suspects) {
    if (!(await end(id))) continue
    await report(service, 'counters_altered', `${trouble} It has ended.`, affected)
    ended++
  }
  return ended
}

async function suspectTokens(
  { storage, now }: Watched,
  known: ReadonlyMap<string, TokenTally>,
  ids: readonly string[],
): Promise<readonly SuspectToken[]> {
  const found: SuspectToken[] = []
  for (const [id, stored] of await storage.allowances.tokens(ids)) {
    const tally = known.get(id)
    if (tally === undefined || stored.isRevoked || stored.expiresAt <= now()) continue
    const trouble = tally.isRevoked
      ? `The token ${id} was revoked, and the database says that it stands.`
      : lessSpent(id, tally, stored)
    if (trouble === undefined) continue
    const root_principal = tally.rootPrincipal ?? stored.rootPrincipal
    const affected = { root_principal, failure_type: 'token_revoked', token_id: id, delegation_chain: [id] } as const
    found.push({ id, trouble, affected, resolved: tally.resolved })
  }
  return found
}

function lessSpent(id: string, { spent }: TokenTally, { currency, spentUnits }: StoredToken): string | undefined {
  const units = currency === undefined ? undefined : spent.get(currency)
  if (units === undefined || units <= spentUnits) return undefined
  const [said, was] = [spentUnits, units].map((each) => fromMinorUnits(each, currency!).amount)
  return `Under the token ${id} ${was} ${currency} were spent, and the database says ${said}.`
}

type StoredToken =
  Awaited<ReturnType<AllowanceStore['tokens']>> extends ReadonlyMap<string, infer Token> ? Token : never

/** Uses of a grant are never given back, and stand in the database before they stand on the trail. */
async function suspectGrants(
  { storage, now }: Watched,
  known: ReadonlyMap<string, GrantTally>,
): Promise<readonly Suspect[]> {
  const found: Suspect[] = []
  for (const [id, stored] of await storage.allowances.grants([...known.keys()])) {
    const { isRevoked, uses, requestId, rootPrincipal } = known.get(id)!
    if (stored.isRevoked || stored.expiresAt <= now() || (!isRevoked && uses <= stored.uses)) continue
    const trouble = isRevoked
      ? `The grant ${id} was taken back, and the database says that it stands.`
      : `The grant ${id} was used ${uses} times, and the database says ${stored.uses}.`
    const failure_type = 'approval_grant_invalid'
    const about = { approval_grant_id: id, approval_request_id: requestId }
    found.push({ id, trouble, affected: { root_principal: rootPrincipal, failure_type, ...about } })
  }
  return found
}

type Affected = Pick<AuditDraft, 'root_principal'> & Partial<AuditDraft>

/** The time of the newest entry, ms: a service that was stopped for long still reads what was in force. */
async function newestTime({ storage, now }: Watched): Promise<number> {
  const [newest] = await storage.audit.texts(await storage.audit.size(), 1)
  if (newest === undefined || newest.text === null) return now()
  return Date.parse((JSON.parse(newest.text) as { readonly timestamp: string }).timestamp)
}

const ALTERED = {
  counters_altered: 'A counter of the database was set back: what it is about has ended.',
  rows_altered: 'A row of the database was altered or deleted: it was put back.',
} as const

/** Records the alteration and revokes what was set back, permanently: a later start reads it in the audit trail. */
async function report(
  service: Watched,
  alarm: keyof typeof ALTERED,
  detail: string,
  affected: Affected,
): Promise<void> {
  service.alarms.add(alarm)
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
  service.log.error(ALTERED[alarm], { detail })
  await recordOrWait(service, [draft])
}
