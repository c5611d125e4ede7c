/** Which counters of a database the watch takes for set back, and what it says of them (security, N08). */
import { describe, expect, it } from 'vitest'
import type { AuditDraft } from '../../src/protocol/audit.js'
import type { JsonObject } from '../../src/protocol/manifest.js'
import { alarms } from '../../src/runtime/telemetry/alarms.js'
import { counterWatch, type Watched } from '../../src/runtime/lifecycle/counter-watch.js'
import { EMPTY_ENTRY } from '../../src/protocol/empty-entry.js'

const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const AT = '2026-03-01T12:00:00.000Z'
const TOKEN = { rootPrincipal: 'human:ana', currency: 'EUR', spentUnits: 500n, isRevoked: false, expiresAt: NOW + 1 }
const GRANT = { uses: 1, isRevoked: false, expiresAt: NOW + 1 }

const call = (more: JsonObject = {}): JsonObject => ({ entry_type: 'invocation', invocation_id: 'inv-1', root_principal: 'human:ana', success: true, delegation_chain: ['tok_1'], timestamp: AT, ...more }) // prettier-ignore
const costs = (amount: number, currency = 'EUR') => call({ cost_charged: { amount, currency } })
const granted: JsonObject = { entry_type: 'approval_granted', approval_grant_id: 'grt_1', approval_request_id: 'apr_1', capability: 'book', root_principal: 'human:ana', timestamp: AT } // prettier-ignore
const used = call({ approval_grant_id: 'grt_1', capability: 'book' })
const RESOLVED: JsonObject = { entry_type: 'operator_action', delegation_chain: ['tok_1'], operated: { name: 'invocation_resolved', target: { invocation_id: 'inv-2' } }, cost_charged: { amount: 0, currency: 'EUR' }, cost_held: { amount: 1, currency: 'EUR' }, timestamp: AT } // prettier-ignore

interface Known {
  readonly entries: (JsonObject | null)[]
  readonly tokens?: { [id: string]: typeof TOKEN | Omit<typeof TOKEN, 'currency'> }
  readonly grants?: { [id: string]: typeof GRANT }
  /** What is done before the counters of tokens are read, each time. */
  readonly meanwhile?: () => void
  /** Another process ends what this one is about to end. */
  readonly endsFirst?: boolean
}

/** A watch over such a trail and such counters. What it ends is revoked, and what it records is the result. */
function watching({ entries, tokens = {}, grants = {}, meanwhile = () => undefined, endsFirst = false }: Known) {
  const [recorded, logged, asked]: [AuditDraft[], unknown[], (readonly string[])[]] = [[], [], []]
  const raised = alarms()
  const pick = (all: object, ids: readonly string[]) => new Map(Object.entries(all).filter(([id]) => ids.includes(id)))
  const end = (all: { [id: string]: { isRevoked: boolean } }, id: string) => {
    if (all[id]!.isRevoked || endsFirst) return false
    all[id] = { ...all[id]!, isRevoked: true }
    return true
  }
  const storage = {
    audit: {
      firstSince: async () => 1,
      size: async () => entries.length,
      texts: async (from: number, count: number) =>
        entries
          .slice(from - 1, from - 1 + count)
          .map((entry, at) => ({ sequence: from + at, text: entry && JSON.stringify(entry) })),
    },
    standing: {
      blocks: async () => [],
      pauses: async () => [],
      requests: async () => new Map(),
      resolutions: async (ids: readonly string[]) => new Set(ids),
      missingAccounts: async () => [],
      liveConnections: async () => [],
    },
    allowances: {
      tokens: async (ids: readonly string[]) => (asked.push(ids), meanwhile(), pick(tokens, ids)),
      grants: async (ids: readonly string[]) => pick(grants, ids),
      endToken: async (id: string) => end(tokens, id),
      endGrant: async (id: string) => end(grants, id),
    },
  }
  const watch = counterWatch({
    capabilities: new Map(),
    manifest: { limits: { max_ttl_hours: 24 }, approvals: { denial_holds: 'P1D', request_ttl: 'P1D' } },
    storage,
    record: async ({ draft }: { draft: AuditDraft }) => void recorded.push(draft),
    unrecorded: [],
    alarms: raised,
    log: { error: (...line: readonly unknown[]) => void logged.push(line) },
    now: () => NOW,
  } as unknown as Watched)
  return { watch, recorded, logged, raised, asked }
}

/** What the watch says of what it ended. */
async function saidOf(known: Known): Promise<readonly (string | undefined)[]> {
  const { watch, recorded } = watching(known)
  expect(await watch.compare()).toBe(recorded.length)
  return recorded.map(({ detail }) => detail)
}

const SPENT = (was: number, said: number) =>
  `Under the token tok_1 ${was} EUR were spent, and the database says ${said}. It has ended.`
const REVOKED = 'The token tok_1 was revoked, and the database says that it stands. It has ended.'
const ended = (more: JsonObject = {}): JsonObject => ({
  entry_type: 'token_revoked',
  token_id: 'tok_1',
  root_principal: 'human:ana',
  timestamp: AT,
  ...more,
})

describe('of a token', () => {
  it.each<[string, readonly (JsonObject | null)[], Partial<typeof TOKEN>, readonly string[]]>([
    ['less spending than the trail is set back', [costs(5), costs(0.01)], {}, [SPENT(5.01, 5)]],
    ['as much is right', [costs(5)], {}, []],
    ['more is right: what is held stands on the trail later', [costs(4)], {}, []],
    ['spending in another currency is none of its budget', [costs(9, 'USD')], {}, []],
    ['no spending is right where the trail says none', [call()], { spentUnits: 0n }, []],
    ['a revocation that the database does not know is set back', [ended()], {}, [REVOKED]],
    ['a revocation counts before spending', [costs(9), ended()], {}, [REVOKED]],
    ['that has ended nothing more is asked', [costs(9), ended()], { isRevoked: true }, []],
    ['that expires now nothing more is asked', [costs(9)], { expiresAt: NOW }, []],
    ['what is erased is passed over', [null, costs(9), null], {}, [SPENT(9, 5)]],
  ])('%s', async (_, entries, stored, expected) => {
    expect(await saidOf({ entries: [...entries], tokens: { tok_1: { ...TOKEN, ...stored } } })).toEqual(expected)
  })

  it('without a cumulative budget spending is not compared', async () => {
    const { currency: _, ...stored } = TOKEN
    expect(await saidOf({ entries: [costs(9)], tokens: { tok_1: stored } })).toEqual([])
  })

  it('that the database does not have, or the trail does not know, nothing is said', async () => {
    expect(await saidOf({ entries: [costs(9)], tokens: { tok_2: TOKEN } })).toEqual([])
  })

  it('each is judged by itself, and all that were set back end', async () => {
    const entries = [call({ cost_charged: { amount: 9, currency: 'EUR' }, delegation_chain: ['tok_1', 'tok_2', 'tok_3'] })]
    const { watch, recorded, logged, raised } = watching({ entries, tokens: { tok_1: TOKEN, tok_2: { ...TOKEN, spentUnits: 900n }, tok_3: TOKEN } })
    expect([await watch.compare(), await watch.compare()]).toEqual([2, 0])
    expect(recorded.map(({ token_id, delegation_chain }) => [token_id, delegation_chain])).toEqual([['tok_1', ['tok_1']], ['tok_3', ['tok_3']]])
    expect(raised.all()).toEqual(['counters_altered'])
    expect(logged[0]).toEqual(['A counter of the database was set back: what it is about has ended.', { detail: SPENT(9, 5) }])
  })

  it('has an entry that says all of that', async () => {
    const { watch, recorded } = watching({ entries: [costs(9)], tokens: { tok_1: { ...TOKEN, rootPrincipal: 'human:set' } } })
    await watch.compare()
    expect(recorded).toEqual([{
      ...EMPTY_ENTRY, entry_type: 'integrity_failure', actor_key: 'service:integrity', root_principal: 'human:ana', event_class: 'high_risk_failure', success: false,
      failure_type: 'token_revoked', token_id: 'tok_1', delegation_chain: ['tok_1'], detail: SPENT(9, 5), timestamp: AT,
    }])
  })

  it('that an operator ended is of the root principal that the database says', async () => {
    const byOperator = { entry_type: 'operator_action', root_principal: 'human:op', operated: { name: 'tokens_revoked', token_ids: ['tok_1'] }, timestamp: AT }
    const { watch, recorded } = watching({ entries: [byOperator], tokens: { tok_1: TOKEN } })
    expect(await watch.compare()).toBe(1)
    expect(recorded[0]?.root_principal).toBe('human:ana')
  })
}) // prettier-ignore

describe('of a token under which calls are resolved', () => {
  const held = (amount: number) => call({ success: false, failure_type: 'outcome_unknown', cost_held: { amount, currency: 'EUR' } })
  /** A trail to which an operator's word is added while the counters are read, so many times. */
  function resolving(times: number, spentUnits: bigint) {
    const entries: JsonObject[] = [held(9)]
    const others = Array.from({ length: times }, (_, nth) => ({ ...held(1), invocation_id: `inv-${nth + 2}` }))
    entries.push(...others)
    let left = times
    const meanwhile = () => {
      if (left-- > 0) entries.push(RESOLVED)
    }
    return watching({ entries, tokens: { tok_1: { ...TOKEN, spentUnits } }, meanwhile })
  }

  it('nothing is judged by what was read before', async () => {
    const { watch, asked, raised } = resolving(1, 900n)
    expect(await watch.compare()).toBe(0)
    expect([asked, raised.all()]).toEqual([[['tok_1'], ['tok_1']], []])
  })

  it('what was set back is found when nobody resolves any more', async () => {
    const { watch, recorded, asked } = resolving(2, 800n)
    expect(await watch.compare()).toBe(1)
    expect([asked.length, recorded[0]?.detail]).toEqual([4, SPENT(9, 8)])
  })

  it('what is resolved all the while is judged by the next look', async () => {
    const { watch, asked } = resolving(4, 800n)
    expect([await watch.compare(), asked.length]).toEqual([0, 4])
    expect([await watch.compare(), asked.length]).toEqual([1, 6])
  })
}) // prettier-ignore

it('what another process ended first is not told twice', async () => {
  const { watch, recorded } = watching({ entries: [costs(9)], tokens: { tok_1: TOKEN }, endsFirst: true })
  expect([await watch.compare(), recorded]).toEqual([0, []])
})

describe('of a grant', () => {
  const about = (entry_type: string, more: JsonObject = {}): JsonObject => ({ entry_type, approval_grant_id: 'grt_1', approval_request_id: 'apr_1', root_principal: 'human:ana', timestamp: AT, ...more })
  it.each<[string, readonly JsonObject[], Partial<typeof GRANT>, readonly string[]]>([
    ['fewer uses than the trail are set back', [granted, used, used], {}, ['The grant grt_1 was used 2 times, and the database says 1. It has ended.']],
    ['as many are right', [granted, used], {}, []],
    ['more are right: they stand on the trail later', [granted], {}, []],
    ['that was taken back and stands is set back', [granted, about('grant_revoked')], {}, ['The grant grt_1 was taken back, and the database says that it stands. It has ended.']],
    ['that is revoked nothing more is asked', [granted, used, used], { isRevoked: true }, []],
    ['that expires now nothing more is asked', [granted, used, used], { expiresAt: NOW }, []],
  ])('%s', async (_, entries, stored, expected) => {
    expect(await saidOf({ entries: [...entries], grants: { grt_1: { ...GRANT, ...stored } } })).toEqual(expected)
  })

  it('has an entry that says all of that', async () => {
    const { watch, recorded } = watching({ entries: [granted, used, used], grants: { grt_1: GRANT } })
    expect([await watch.compare(), await watch.compare()]).toEqual([1, 0])
    expect(recorded).toMatchObject([{
      entry_type: 'integrity_failure', root_principal: 'human:ana', failure_type: 'approval_grant_invalid', token_id: null, delegation_chain: [],
      approval_grant_id: 'grt_1', approval_request_id: 'apr_1',
    }])
  })
}) // prettier-ignore

it('a long trail is read in parts, each entry once', async () => {
  const entries = Array.from({ length: 4_001 }, () => costs(0.01))
  const stored = { ...TOKEN, spentUnits: 4_001n }
  expect(await saidOf({ entries, tokens: { tok_1: stored } })).toEqual([])
  expect(await saidOf({ entries, tokens: { tok_1: { ...stored, spentUnits: 4_000n } } })).toEqual([SPENT(40.01, 40)])
})
