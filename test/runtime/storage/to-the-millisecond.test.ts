/** When what has an end is over: the SQL is that of every back end, and only a clock that is given can say it exactly. */
import { expect, it } from 'vitest'
import { openSqlite } from '../../../src/runtime/storage/sqlite/index.js'
import type { Storage } from '../../../src/runtime/storage/contract.js'
import { atMost, decision, draft, fresh, freshInvocation, grantFor, request, token } from './examples.js'

const START = 1_767_225_600_000
const DAY = 24 * 3_600_000
const WEEK = 7 * DAY

interface Subject extends Storage {
  pass(ms: number): void
}

async function open(): Promise<Subject> {
  let now = START
  const storage = await openSqlite({ file: ':memory:', clock: () => now })
  return { ...storage, pass: (ms) => void (now += ms) }
}

const KEY = { subject: 'agent:a', capability: 'book', key: 'k' } as const
const TERMS = { grant_type: 'one_time', session_id: null, expires_in_seconds: 900, max_uses: 1 } as const
const SESSION = { hash: 'h', principal: 'human:a', credential: { api_key: 'key' } } as const

/** Something that was made ends after so many ms; whether it still stands is asked when `ms` have passed. */
type Standing = (subject: Subject, ms: number) => Promise<boolean>

const asked = async (subject: Subject, ms: number, after: (id: string) => Promise<boolean>): Promise<boolean> => {
  const made = await request(subject, 'who', 100)
  await subject.approvals.open(made, atMost(10))
  subject.pass(ms)
  return after(made.approval_request_id)
}

const granted = async (
  subject: Subject,
  ms: number,
  after: (grantId: string, requestId: string) => Promise<boolean>,
): Promise<boolean> => {
  const made = await request(subject, 'who', 60_000)
  await subject.approvals.open(made, atMost(10))
  const grant = await grantFor(subject, made, 100)
  await subject.approvals.approve(grant, decision)
  subject.pass(ms)
  return after(grant.grant_id, made.approval_request_id)
}

const EVENT = { id: 'e', type: 'alarm.raised', subject: 's', body: '{}', targets: ['ops'] } as const

/** How many requests a look reports. */
const noted = (subject: Subject, type: 'approval.expiring' | 'approval.expired', withinMs: number): Promise<number> =>
  subject.outbox.noteExpiries(type, withinMs, 9, ({ approval_request_id: id }) => ({ ...EVENT, id, type }))

const SAME_CALL = { subject: 'agent:who', rootPrincipal: 'human:who', capability: 'book', digest: 'sha256:aa', sessionId: undefined, taskId: undefined } as const // prettier-ignore
const NEVER = { denied: '9999-01-01T00:00:00.000Z', returned: '9999-01-01T00:00:00.000Z' }

const standingToken = async ({ tokens }: Subject): Promise<void> => {
  const record = token('tok_1')
  const claims = { ...record.claims, sub: 'agent:who', exp: START / 1000 + 1 } as const
  await tokens.insert({ ...record, claims, credential: { api_key: 'key' } })
}

const ENDS: readonly (readonly [what: string, lasts: number, stands: Standing])[] = [
  ['a lease keeps others out', 100, async (subject, ms) => {
    await subject.leases.acquire('l', 'a', 100)
    subject.pass(ms)
    return !(await subject.leases.acquire('l', 'b', 100))
  }],
  ['a lease is renewed', 100, async (subject, ms) => {
    await subject.leases.acquire('l', 'a', 100)
    subject.pass(ms)
    return subject.leases.renew('l', 'a', 100)
  }],
  ['a lease of a process keeps its intents from others', 100, async (subject, ms) => {
    await subject.leases.acquire('process:p', 'p', 100)
    await subject.intents.record({ invocation_id: 'inv-1', owner: 'p', draft: draft(), started_at: START })
    subject.pass(ms)
    return (await subject.intents.orphans(1)).length === 0
  }],
  ['an idempotency key is remembered', 100, async (subject, ms) => {
    await subject.idempotency.start(KEY, 'd', 'inv-1', START + 100)
    subject.pass(ms)
    return (await subject.idempotency.start(KEY, 'd', 'inv-2', START + 9_000)).state === 'in_progress'
  }],
  ['a claim stands without an intent', 5_000, async (subject, ms) => {
    await subject.idempotency.start(KEY, 'd', 'inv-1', START + 60_000)
    subject.pass(ms)
    return (await subject.idempotency.start(KEY, 'd', 'inv-2', START + 60_000)).state === 'in_progress'
  }],
  ['a claim that took one over stands without an intent', 5_000, async (subject, ms) => {
    await subject.idempotency.start(KEY, 'd', 'inv-1', START + 60_000)
    subject.pass(5_000)
    await subject.idempotency.start(KEY, 'd', 'inv-2', START + 60_000)
    subject.pass(ms)
    return (await subject.idempotency.start(KEY, 'd', 'inv-3', START + 60_000)).state === 'in_progress'
  }],
  ['a request reads as pending', 100, (subject, ms) => asked(subject, ms, async (id) => (await subject.approvals.get(id))?.status === 'pending')],
  ['a request is listed as pending', 100, (subject, ms) => asked(subject, ms, async () => (await subject.approvals.list({ status: 'pending', limit: 9 })).length === 1)],
  ['a request is not listed as expired', 100, (subject, ms) => asked(subject, ms, async () => (await subject.approvals.list({ status: 'expired', limit: 9 })).length === 0)],
  ['a request counts as pending in a history', 100, (subject, ms) => asked(subject, ms, async () => (await subject.approvals.history(await request(subject, 'who', 9))).undecided['pending'] === 1)],
  ['a request is given back to the same call', 100, (subject, ms) => asked(subject, ms, async () => (await subject.approvals.open(await request(subject, 'who', 9), atMost(9))).outcome === 'pending')],
  ['a request takes its place among those that may be pending', 100, (subject, ms) => asked(subject, ms, async () => (await subject.approvals.open(await request(subject, 'who', 9, { requested_parameters_digest: 'sha256:bb' }), atMost(1))).outcome === 'too_many')],
  ['a request is denied', 100, (subject, ms) => asked(subject, ms, async (id) => (await subject.approvals.deny(id, decision)) !== undefined)],
  ['a request is approved', 100, (subject, ms) => asked(subject, ms, async (id) => (await subject.approvals.approve(await grantFor(subject, { ...(await request(subject, 'who', 9)), approval_request_id: id }, 9), decision)) !== undefined)],
  ['a request is withdrawn', 100, (subject, ms) => asked(subject, ms, async (id) => (await subject.approvals.withdraw(id, decision.decided_at)) !== undefined)],
  ['a request takes one approval of several', 100, (subject, ms) => asked(subject, ms, async (id) => (await subject.approvals.give(id, { ...decision, terms: TERMS }, { counted: [], lapsed: [] })).outcome === 'given')],
  ['a request is not reported as expired', 100, (subject, ms) => asked(subject, ms, async () => (await noted(subject, 'approval.expired', 0)) === 0)],
  ['a request is reported as expired', 100 + 6 * DAY, (subject, ms) => asked(subject, ms, async () => (await noted(subject, 'approval.expired', 0)) === 1)],
  ['a request is not about to expire', 60, (subject, ms) => asked(subject, ms, async () => (await noted(subject, 'approval.expiring', 40)) === 0)],
  ['a request is about to expire', 100, (subject, ms) => asked(subject, ms, async () => (await noted(subject, 'approval.expiring', 40)) === 1)],
  ['an event that failed waits', 100, async (subject, ms) => {
    await subject.outbox.add([EVENT])
    const [{ sequence } = { sequence: 0 }] = await subject.outbox.due('ops', 1)
    await subject.outbox.settle([{ sequence, ok: false, error: 'status 500', againInMs: 100 }])
    subject.pass(ms)
    return (await subject.outbox.due('ops', 1)).length === 0
  }],
  ['an event is tried', 100, async (subject, ms) => {
    await subject.outbox.add([EVENT])
    subject.pass(ms)
    return (await subject.outbox.giveUp({ target: 'ops', mostMs: 100, most: 9 })) === 0
  }],
  ['a rate is taken up after the clock was set back', 60_001, async (subject, ms) => {
    await subject.rates.take('r', 10, 10)
    subject.pass(-ms)
    return (await subject.rates.take('r', 1, 10)).places === 0
  }],
  ['a grant is spent', 100, (subject, ms) => granted(subject, ms, (id) => subject.approvals.spend(id, 'inv-1'))],
  ['a grant is revoked', 100, (subject, ms) => granted(subject, ms, async (id) => (await subject.approvals.revokeGrant(id)) !== undefined)],
  ['a grant is taken back with its request', 100, (subject, ms) => granted(subject, ms, async (_, id) => (await subject.approvals.withdraw(id, decision.decided_at)) !== undefined)],
  ['a grant is found by the same call', 100, (subject, ms) => granted(subject, ms, async () => (await subject.approvals.earlier(SAME_CALL, NEVER)).grantId !== undefined)],
  ['a spent grant is told of', DAY, (subject, ms) => granted(subject, 0, async (id) => {
    await subject.approvals.spend(id, 'inv-1')
    subject.pass(ms)
    return (await subject.approvals.earlier(SAME_CALL, NEVER)).spent !== undefined
  })],
  ['a request counts among those of a minute', 60_000, async (subject, ms) => {
    await subject.approvals.open(await request(subject, 'who', 9), atMost(9, 1))
    subject.pass(ms)
    return (await subject.approvals.open(await request(subject, 'who', 9), atMost(9, 1))).outcome === 'too_many'
  }],
  ['a session lasts', 100, async (subject, ms) => {
    await subject.sessions.begin(SESSION, 100, 9_000)
    subject.pass(ms)
    return (await subject.sessions.look('h')) !== undefined
  }],
  ['a session may be idle', 100, async (subject, ms) => {
    await subject.sessions.begin(SESSION, 9_000, 100)
    subject.pass(ms)
    return (await subject.sessions.look('h')) !== undefined
  }],
  ['a session that was idle is used again', 100, async (subject, ms) => {
    await subject.sessions.begin(SESSION, 9_000, 100)
    subject.pass(ms)
    await subject.sessions.touch('h', 9_000)
    return (await subject.sessions.look('h')) !== undefined
  }],
  ['a token is one to be ended', 1_000, async (subject, ms) => {
    await standingToken(subject)
    subject.pass(ms)
    return (await subject.operators.endTokens('subject', ['agent:who'], 1)).length === 1
  }],
  ['a token makes its key one that buys', 1_000, async (subject, ms) => {
    await standingToken(subject)
    return (await subject.operators.buyingApiKeys(START + ms)).length === 1
  }],
  ['what has expired is kept for a week', WEEK + 1, async (subject, ms) => {
    const binding = { binding_id: 'bnd_1', type: 'quote', capability: 'quote', root_principal: 'human:a', issued_at: 1 } as const
    await subject.bindings.insert({ ...binding, expires_at: START })
    await subject.sweep(START + ms)
    return (await subject.bindings.get('bnd_1')) !== undefined
  }],
  ['a request is kept until its grant has expired for a week, too', WEEK + 1, (subject, ms) => granted(subject, 0, async (_, id) => {
    await subject.sweep(START + 60_000 + ms)
    return (await subject.approvals.get(id)) !== undefined
  })],
] // prettier-ignore

it.each(ENDS)('%s for %i ms, and no longer', async (_, lasts, stands) => {
  expect([await stands(await open(), lasts - 1), await stands(await open(), lasts)]).toEqual([true, false])
})

it('what expires last keeps a request: its grant', async () => {
  const storage = await open()
  const made = await request(storage, fresh('who'), 100)
  await storage.approvals.open(made, atMost(9))
  const grant = await grantFor(storage, made, 60_000)
  await storage.approvals.approve(grant, decision)
  await storage.sweep(START + 60_000 + WEEK)
  expect(await storage.approvals.grant(grant.grant_id)).toBeDefined()
  await storage.approvals.spend(grant.grant_id, freshInvocation())
  await storage.sweep(START + 60_000 + WEEK + 1)
  expect(await storage.approvals.get(made.approval_request_id)).toBeUndefined()
})

it('an event that was delivered, and is sent again, is kept while it waits', async () => {
  const storage = await open()
  await storage.outbox.add([EVENT])
  const [{ sequence } = { sequence: 0 }] = await storage.outbox.due('ops', 1)
  await storage.outbox.settle([{ sequence, ok: true }])
  await storage.outbox.resend('e', undefined)
  await storage.sweep(START + 2 * WEEK)
  expect(await storage.outbox.due('ops', 1)).toMatchObject([{ eventId: 'e', attempts: 0 }])
})
