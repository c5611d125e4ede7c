import { describe, expect, it } from 'vitest'
import type { OutgoingEvent } from '../../../../src/runtime/storage/contract.js'
import type { Subject } from '../contract.js'
import { atMost, decision, fresh, grantFor, iso, request, token } from '../examples.js'

const eventFor = (targets: readonly string[], subject = fresh('subject')): OutgoingEvent => ({
  id: fresh('event'),
  type: 'approval.requested',
  subject,
  body: '{"é":"\\u2028"}',
  targets,
})

const HOUR = 3_600_000
const TERMS = { grant_type: 'one_time', session_id: null, expires_in_seconds: 900, max_uses: 1 } as const

export const outboxContract = (subject: Subject): void => {
  describe('the outbox', () => {
    const due = async (target: string, limit = 10) => subject().replica.outbox.due(target, limit)
    const idsDue = async (target: string) => (await due(target)).map(({ eventId }) => eventId)
    const ended = async (target: string, ok: boolean, error = 'status 500') => {
      const attempts = (await due(target)).map(({ sequence }) =>
        ok ? ({ sequence, ok } as const) : ({ sequence, ok, error, againInMs: HOUR } as const),
      )
      await subject().storage.outbox.settle(attempts)
    }
    const listed = async (target: string) =>
      (await subject().replica.outbox.list({ target, limit: 10 })).map(({ event_id, state, attempts, last_error }) => [
        event_id,
        state,
        attempts,
        last_error,
      ])

    it('has an event once for each target, however often it is written', async () => {
      const { storage } = subject()
      const [ops, desk] = [fresh('ops'), fresh('desk')]
      const event = eventFor([ops, desk])
      await storage.outbox.add([event, event])
      await storage.outbox.add([event])
      for (const target of [ops, desk])
        expect(await due(target)).toEqual([
          { sequence: expect.any(Number), eventId: event.id, type: event.type, body: event.body, attempts: 0 },
        ])
    })

    it('gives of each subject the first that a target has not had, whatever other targets have had', async () => {
      const { storage } = subject()
      const [ops, desk] = [fresh('ops'), fresh('desk')]
      const first = eventFor([ops, desk])
      const [second, other] = [eventFor([ops, desk], first.subject), eventFor([ops, desk])]
      await storage.outbox.add([first, second, other])
      expect(await idsDue(ops)).toEqual([first.id, other.id])
      await ended(ops, true)
      expect([await idsDue(ops), await idsDue(desk)]).toEqual([[second.id], [first.id, other.id]])
      expect(await due(desk, 1)).toHaveLength(1)
    })

    it('has once the event of a threshold that is crossed by one of those who spend at once', async () => {
      const { storage } = subject()
      const ops = fresh('ops')
      const eventAt = (spent: bigint) => ({ ...eventFor([ops]), body: String(spent) })
      const ceilings = [{ tokenId: fresh('tok_'), maxUnits: 100n, threshold: { units: 50n, eventAt } }]
      await Promise.all([20n, 20n, 20n, 20n].map((units) => storage.ledger.reserve(fresh('h'), ceilings, units)))
      expect((await due(ops)).map(({ body }) => body)).toEqual(['60'])
    })

    it('has the event of a threshold that is reached exactly, by one alone and by several at once', async () => {
      const { storage } = subject()
      const ops = fresh('ops')
      const eventAt = (spent: bigint) => ({ ...eventFor([ops]), body: String(spent) })
      const ceilings = () => [{ tokenId: fresh('tok_'), maxUnits: 100n, threshold: { units: 50n, eventAt } }]
      await storage.ledger.reserve(fresh('h'), ceilings(), 50n)
      const shared = ceilings()
      await Promise.all([25n, 25n, 25n].map((units) => storage.ledger.reserve(fresh('h'), shared, units)))
      expect((await due(ops)).map(({ body }) => body)).toEqual(['50', '50'])
    })

    it('waits after a failure, counts it, and keeps what follows of the same subject waiting', async () => {
      const { storage } = subject()
      const ops = fresh('ops')
      const first = eventFor([ops])
      await storage.outbox.add([first])
      await ended(ops, false)
      const [follows, other] = [eventFor([ops], first.subject), eventFor([ops])]
      await storage.outbox.add([follows, other])
      expect(await idsDue(ops)).toEqual([other.id])
      expect((await listed(ops)).at(-1)).toEqual([first.id, 'pending', 1, 'status 500'])
      const [{ sequence } = { sequence: 0 }] = (await storage.outbox.list({ target: ops, limit: 10 })).slice(-1)
      await storage.outbox.settle([{ sequence, ok: true }])
      expect((await listed(ops)).at(-1)).toEqual([first.id, 'delivered', 2, undefined])
    })

    it('hastens what waits for one target, but for what that refused', async () => {
      const { storage } = subject()
      const [ops, desk] = [fresh('ops'), fresh('desk')]
      const away = eventFor([ops, desk])
      await storage.outbox.add([away])
      await ended(ops, false, 'no answer (ECONNREFUSED)')
      await ended(desk, false, 'no answer (ECONNREFUSED)')
      const refused = eventFor([ops])
      await storage.outbox.add([refused])
      await ended(ops, false, 'status 410')
      await storage.outbox.hasten(ops)
      expect([await idsDue(ops), await idsDue(desk)]).toEqual([[away.id], []])
      expect((await due(ops))[0]?.attempts).toBe(1)
    })

    it('gives up the oldest of what is too much for one target, and then changes nothing of it', async () => {
      const { storage } = subject()
      const [ops, desk] = [fresh('ops'), fresh('desk')]
      const events = [eventFor([ops, desk]), eventFor([ops, desk]), eventFor([ops, desk])]
      await storage.outbox.add(events)
      const [{ sequence } = { sequence: 0 }] = await due(ops)
      expect(await storage.outbox.giveUp({ target: ops, mostMs: HOUR, most: 3 })).toBe(0)
      expect(await storage.outbox.giveUp({ target: ops, mostMs: HOUR, most: 2 })).toBe(1)
      await storage.outbox.settle([{ sequence, ok: true }])
      await storage.outbox.settle([{ sequence, ok: false, error: 'status 500', againInMs: 1 }])
      expect((await listed(ops)).map(([id, state, attempts]) => [id, state, attempts])).toEqual([
        [events[2]!.id, 'pending', 0],
        [events[1]!.id, 'pending', 0],
        [events[0]!.id, 'dead', 0],
      ])
      const ends = (await storage.outbox.list({ target: ops, limit: 10 })).map(({ ended_at }) => ended_at)
      expect(ends).toEqual([undefined, undefined, expect.any(String)])
      expect(await idsDue(desk)).toHaveLength(3)
      expect(await storage.outbox.giveUp({ target: ops, mostMs: 0, most: 9 })).toBe(2)
      expect(await idsDue(desk)).toHaveLength(3)
    })

    it('sends an event again to the target that is named, or to all, as if it were new', async () => {
      const { storage } = subject()
      const [ops, desk] = [fresh('ops'), fresh('desk')]
      const [event, other] = [eventFor([ops, desk]), eventFor([ops])]
      await storage.outbox.add([event, other])
      await ended(ops, true)
      await ended(desk, false)
      expect(await storage.outbox.resend(event.id, desk)).toEqual([desk])
      expect([await idsDue(ops), await idsDue(desk)]).toEqual([[], [event.id]])
      expect(await listed(desk)).toEqual([[event.id, 'pending', 0, undefined]])
      expect((await storage.outbox.resend(event.id, undefined)).toSorted()).toEqual([ops, desk].toSorted())
      expect(await idsDue(ops)).toEqual([event.id])
      expect(await storage.outbox.resend('unknown', undefined)).toEqual([])
    })

    it('begins the age of an event anew when it is sent again', async () => {
      const { storage, pass } = subject()
      const ops = fresh('ops')
      const event = eventFor([ops])
      await storage.outbox.add([event])
      await pass(1_000)
      await storage.outbox.resend(event.id, ops)
      expect(await storage.outbox.giveUp({ target: ops, mostMs: 900, most: 9 })).toBe(0)
    })

    it('lists newest first, by state, type and target, and page by page', async () => {
      const { storage } = subject()
      const ops = fresh('ops')
      const [first, second] = [eventFor([ops]), { ...eventFor([ops]), type: 'token.revoked' } as const]
      await storage.outbox.add([first])
      await ended(ops, true)
      await storage.outbox.add([second])
      const ids = async (filter: object) =>
        (await storage.outbox.list({ target: ops, limit: 10, ...filter })).map(({ event_id }) => event_id)
      const [newest] = await storage.outbox.list({ target: ops, limit: 1 })
      expect(await ids({})).toEqual([second.id, first.id])
      expect(await ids({ state: 'delivered' })).toEqual([first.id])
      expect(await ids({ type: 'token.revoked' })).toEqual([second.id])
      expect(await ids({ before: newest!.sequence })).toEqual([first.id])
    })

    it('notes what is about to expire, once, and nothing that is decided', async () => {
      const { storage } = subject()
      const ops = fresh('ops')
      const [soon, later, denied] = [await request(storage, fresh('who'), 60_000), await request(storage, fresh('who'), 2 * HOUR), await request(storage, fresh('who'), 60_000)] // prettier-ignore
      for (const each of [soon, later, denied]) await storage.approvals.open(each, atMost(9))
      await storage.approvals.deny(denied.approval_request_id, decision)
      const note = () =>
        storage.outbox.noteExpiries('approval.expiring', HOUR, 100, ({ approval_request_id: id }) => ({
          ...eventFor([ops], id),
          id: `approval.expiring.${id}`,
          type: 'approval.expiring',
        }))
      await note()
      await note()
      const mine = [soon, later, denied].map((each) => `approval.expiring.${each.approval_request_id}`)
      expect((await idsDue(ops)).filter((id) => mine.includes(id))).toEqual([mine[0]])
    })

    it('notes what has expired, once, whether somebody has noticed it or not, and nothing that is pending', async () => {
      const { storage, pass } = subject()
      const [ops, who] = [fresh('ops'), fresh('who')]
      const open = async (of: string, ttlMs: number) => {
        const asked = await request(storage, of, ttlMs, { requested_parameters_digest: fresh('sha256:') })
        await storage.approvals.open(asked, atMost(9))
        return asked.approval_request_id
      }
      const noticed = await open(who, 1)
      await pass(20)
      const [pending, unnoticed] = [await open(who, 60_000), await open(fresh('who'), 1)]
      await pass(20)
      const note = () =>
        storage.outbox.noteExpiries('approval.expired', 0, 1000, ({ approval_request_id: id }) => ({
          ...eventFor([ops], id),
          id: `approval.expired.${id}`,
          type: 'approval.expired',
        }))
      await note()
      expect(await note()).toBe(0)
      const mine = [noticed, pending, unnoticed].map((id) => `approval.expired.${id}`)
      const noted = (await due(ops, 1000)).map(({ eventId }) => eventId)
      expect(noted.filter((id) => mine.includes(id)).toSorted()).toEqual([mine[0], mine[2]].toSorted())
    })

    it('has no event of what did not happen', async () => {
      const { storage } = subject()
      const ops = fresh('ops')
      const event = () => eventFor([ops])
      const asked = await request(storage, fresh('who'), 60_000)
      await storage.approvals.open(asked, atMost(9))
      const id = asked.approval_request_id
      await storage.approvals.open({ ...asked, approval_request_id: fresh('apr_') }, atMost(9), event())
      await storage.approvals.open(
        await request(storage, asked.requester.subject.slice('agent:'.length), 60_000, {
          requested_parameters_digest: 'sha256:bb',
        }),
        atMost(1),
        event(),
      )
      const needs = await request(storage, fresh('who'), 60_000, { approvals_needed: 3 })
      await storage.approvals.open(needs, atMost(9))
      const quorum = { counted: [], lapsed: [], terms: TERMS }
      await storage.approvals.approve(await grantFor(storage, needs, 60_000), decision, event(), quorum)
      await storage.approvals.deny(id, decision)
      await storage.approvals.deny(id, decision, event())
      await storage.approvals.approve(await grantFor(storage, asked, 60_000), decision, event())
      await storage.approvals.withdraw(id, iso(0), event())
      await storage.tokens.revoke('tok_unknown', 1, event())
      await storage.operators.endTokens('subject', [`agent:${fresh('nobody')}`], 1, event())
      expect(await listed(ops)).toEqual([])
    })

    it('has the event of what happened, written with it', async () => {
      const { storage } = subject()
      const ops = fresh('ops')
      const events = Array.from({ length: 5 }, () => eventFor([ops]))
      const [denied, taken] = [await request(storage, fresh('who'), 60_000), await request(storage, fresh('who'), 60_000)] // prettier-ignore
      await storage.approvals.open(denied, atMost(9), events[0])
      await storage.approvals.open(taken, atMost(9))
      await storage.approvals.deny(denied.approval_request_id, decision, events[1])
      await storage.approvals.withdraw(taken.approval_request_id, iso(0), events[2])
      const record = token(fresh('tok_'))
      const sub = `agent:${fresh('s')}` as const
      const exp = Math.floor((await storage.now()) / 1000) + 60
      await storage.tokens.insert({ ...record, claims: { ...record.claims, sub, exp } })
      await storage.operators.endTokens('subject', [sub], 1, events[3])
      await storage.tokens.revoke(record.claims.jti, 1, events[4])
      expect(await idsDue(ops)).toEqual(events.map(({ id }) => id))
    })
  })
}
