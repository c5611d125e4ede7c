import { describe, expect, it } from 'vitest'
import type {
  OpeningLimits,
  RequestDecision,
  SameCall,
  StoredRequest,
} from '../../../../src/runtime/storage/contract.js'
import type { Subject } from '../contract.js'
import { startRecorder } from '../../../../src/runtime/audit/recorder.js'
import type { ApprovalRequest } from '../../../../src/protocol/approval.js'
import { atMost, decision, draft, fresh, freshInvocation, grantFor, iso, request, token } from '../examples.js'

/** Later than any decision. */
const NEVER = { denied: '9999-01-01T00:00:00.000Z', returned: '9999-01-01T00:00:00.000Z' }
const since = (time: string) => ({ denied: time, returned: time })

const callOf = (asked: ApprovalRequest): SameCall => ({
  subject: asked.requester.subject,
  rootPrincipal: asked.requester.root_principal,
  capability: asked.capability,
  digest: asked.requested_parameters_digest,
  sessionId: asked.session_id,
  taskId: asked.task_id,
})

export const approvalsContract = (subject: Subject): void => {
  describe('approvals', () => {
    it('opens a request and gives it back as it was', async () => {
      const { storage } = subject()
      const asked = await request(storage, fresh('who'), 60_000)
      expect(await storage.approvals.open(asked, atMost(10))).toEqual({ outcome: 'created', request: asked })
      expect(await storage.approvals.get(asked.approval_request_id)).toEqual(asked)
    })

    it('gives the pending request of the same requester, capability and digest', async () => {
      const { storage } = subject()
      const who = fresh('who')
      const first = await request(storage, who, 60_000)
      const second = await request(storage, who, 60_000)
      await storage.approvals.open(first, atMost(10))
      expect(await storage.approvals.open(second, atMost(10))).toEqual({ outcome: 'pending', request: first })
    })

    it('caps the pending requests of a requester, exactly, under a race', async () => {
      const { storage, replica } = subject()
      const who = fresh('who')
      const asked = await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          request(storage, who, 60_000, { requested_parameters_digest: `sha256:${n}` }),
        ),
      )
      const opened = await Promise.all(
        asked.map((each, n) => (n % 2 === 0 ? storage : replica).approvals.open(each, atMost(3))),
      )
      expect(opened.filter(({ outcome }) => outcome === 'created')).toHaveLength(3)
      expect(opened.filter(({ outcome }) => outcome === 'too_many')).toHaveLength(9)
    })

    it.each<[string, OpeningLimits, keyof OpeningLimits]>([
      ['its own', atMost(1), 'pending'],
      ['its own before those of others', atMost(1, 1000, { pendingOfChain: 1, pendingOfRoot: 1 }), 'pending'],
      ['those of its chain', atMost(2, 1000, { pendingOfChain: 1, pendingOfRoot: 1 }), 'pendingOfChain'],
      ['those of its root principal', atMost(2, 1000, { pendingOfRoot: 1 }), 'pendingOfRoot'],
      ['those of a minute', atMost(2, 1), 'perMinute'],
    ])('says which limit is met: %s', async (_, limits, limit) => {
      const { storage, replica } = subject()
      const [who, root_token_id] = [fresh('who'), fresh('tok_')]
      const ask = (digest: string) => request(storage, who, 60_000, { root_token_id, requested_parameters_digest: digest })
      expect((await storage.approvals.open(await ask('sha256:1'), limits)).outcome).toBe('created')
      expect(await replica.approvals.open(await ask('sha256:2'), limits)).toEqual({ outcome: 'too_many', limit })
    }) // prettier-ignore

    it.each(['pendingOfChain', 'pendingOfRoot'] as const)(
      'caps the %s, whatever the requesters are called, exactly, under a race',
      async (limit) => {
        const { storage, replica } = subject()
        const [root, chain] = [fresh('root'), fresh('tok_')]
        const ask = async (subject: string, more: Partial<StoredRequest> = {}) =>
          request(storage, subject, 60_000, {
            requester: { subject: `agent:${subject}`, root_principal: `human:${root}`, token_id: 'tok_x' },
            root_token_id: chain,
            ...more,
          })
        const asked = await Promise.all(Array.from({ length: 12 }, () => ask(fresh('who'))))
        const limits = atMost(10, 1000, { [limit]: 3 })
        const opened = await Promise.all(
          asked.map((each, n) => (n % 2 === 0 ? storage : replica).approvals.open(each, limits)),
        )
        expect(opened.filter(({ outcome }) => outcome === 'created')).toHaveLength(3)
        expect(opened.filter((each) => 'limit' in each && each.limit === limit)).toHaveLength(9)
        const other = await ask(fresh('who'), { root_token_id: fresh('tok_') })
        expect((await storage.approvals.open(other, limits)).outcome).toBe(
          limit === 'pendingOfChain' ? 'created' : 'too_many',
        )
        const stranger = await request(storage, fresh('who'), 60_000, { root_token_id: chain })
        expect((await storage.approvals.open(stranger, limits)).outcome).toBe('created')
      },
    )

    it('lists pending ones in turns of their root principals, page by page, also after one was decided', async () => {
      const { storage, pass } = subject()
      const capability = fresh('cap')
      const roots = [fresh('loud'), fresh('quiet'), fresh('quiet')] as const
      const ids: { [root: string]: string[] } = {}
      for (const root of [roots[1], roots[0], roots[0], roots[0], roots[2]]) {
        const requester = {
          subject: `agent:${fresh('any')}`,
          root_principal: `human:${root}`,
          token_id: 'tok_x',
        } as const
        const each = await request(storage, root, 60_000, { capability, requester })
        await storage.approvals.open(each, atMost(10))
        ;(ids[root] ??= []).unshift(each.approval_request_id)
        await pass(2)
      }
      const list = async (more: object = {}): Promise<readonly string[]> =>
        (await storage.approvals.list({ status: 'pending', capabilities: [capability], limit: 10, ...more })).map(
          (each) => each.approval_request_id,
        )
      const [loud, quiet, last] = [ids[roots[0]]!, ids[roots[1]]!, ids[roots[2]]!]
      const turns = [last[0]!, loud[0]!, quiet[0]!, loud[1]!, loud[2]!]
      expect(await list()).toEqual(turns)
      expect(await list({ limit: 2 })).toEqual(turns.slice(0, 2))
      expect(await list({ limit: 2, after: turns[1] })).toEqual(turns.slice(2, 4))
      await storage.approvals.deny(turns[2]!, decision)
      expect(await list({ after: turns[2] })).toEqual(turns.slice(3))
      expect(await list({ rootPrincipal: `human:${roots[0]}`, capabilities: [] })).toEqual(loud)
      expect(await list({ status: 'denied', rootPrincipal: `human:${roots[0]}` })).toEqual([turns[2]])
    })

    it('limits how many requests of a root principal are opened in a minute', async () => {
      const { storage } = subject()
      const who = fresh('who')
      const opened = []
      for (const digest of ['a', 'b', 'c']) {
        const asked = await request(storage, who, 60_000, { requested_parameters_digest: digest })
        opened.push(await storage.approvals.open(asked, atMost(10, 2)))
        await storage.approvals.withdraw(asked.approval_request_id, decision.decided_at)
      }
      expect(opened.map(({ outcome }) => outcome)).toEqual(['created', 'created', 'too_many'])
      expect(opened[2]).toEqual({ outcome: 'too_many', limit: 'perMinute' })
    })

    it('reads a request past its expiry as expired, and opens another', async () => {
      const { storage, pass } = subject()
      const who = fresh('who')
      const first = await request(storage, who, 40)
      await storage.approvals.open(first, atMost(1))
      await pass(60)
      expect((await storage.approvals.get(first.approval_request_id))?.status).toBe('expired')
      const second = await request(storage, who, 60_000)
      expect((await storage.approvals.open(second, atMost(1))).outcome).toBe('created')
      expect((await storage.approvals.get(first.approval_request_id))?.status).toBe('expired')
    })

    it('decides once: one grant of many approvers on two replicas', async () => {
      const { storage, replica } = subject()
      const asked = await request(storage, fresh('who'), 60_000)
      await storage.approvals.open(asked, atMost(10))
      const grants = await Promise.all(Array.from({ length: 16 }, () => grantFor(storage, asked, 60_000)))
      const approved = await Promise.all(
        grants.map((grant, n) => (n % 2 === 0 ? storage : replica).approvals.approve(grant, decision)),
      )
      const winners = grants.filter((_, n) => approved[n] !== undefined)
      const stored = await Promise.all(grants.map(({ grant_id }) => storage.approvals.grant(grant_id)))
      expect(winners).toHaveLength(1)
      expect(stored.filter((grant) => grant !== undefined)).toEqual([{ grant: winners[0], uses: 0, isRevoked: false }])
      expect(await storage.approvals.get(asked.approval_request_id)).toEqual({
        ...asked,
        grant_id: winners[0]!.grant_id,
        status: 'approved',
        approver: 'human:approver',
        decided_at: '2026-01-01T00:00:00.000Z',
      })
    })

    it('denies once, and approves nothing after it', async () => {
      const { storage } = subject()
      const asked = await request(storage, fresh('who'), 60_000)
      await storage.approvals.open(asked, atMost(10))
      const denied = await storage.approvals.deny(asked.approval_request_id, { ...decision, reason: 'Too dear.' })
      expect(denied).toMatchObject({ status: 'denied', reason: 'Too dear.' })
      expect(await storage.approvals.deny(asked.approval_request_id, decision)).toBeUndefined()
      expect(await storage.approvals.approve(await grantFor(storage, asked, 60_000), decision)).toBeUndefined()
    })

    it('approves nothing that is expired or unknown', async () => {
      const { storage, pass } = subject()
      const asked = await request(storage, fresh('who'), 40)
      const grant = await grantFor(storage, asked, 60_000)
      expect(await storage.approvals.approve(grant, decision)).toBeUndefined()
      await storage.approvals.open(asked, atMost(10))
      await pass(60)
      expect(await storage.approvals.approve(grant, decision)).toBeUndefined()
      expect(await storage.approvals.grant(grant.grant_id)).toBeUndefined()
    })

    it('is decided by nobody whose token was revoked meanwhile', async () => {
      const { storage, replica } = subject()
      const [parent, held] = [fresh('tok_'), fresh('tok_')]
      await storage.tokens.insert(token(parent))
      await storage.tokens.insert(token(held, 1, parent))
      const asked = await request(storage, fresh('who'), 60_000)
      await storage.approvals.open(asked, atMost(10))
      const by = { ...decision, standing: [parent, held] }
      await replica.tokens.revoke(parent, 1)
      expect(await storage.approvals.approve(await grantFor(storage, asked, 60_000), by)).toBeUndefined()
      expect(await storage.approvals.deny(asked.approval_request_id, by)).toBeUndefined()
      expect((await storage.approvals.get(asked.approval_request_id))?.status).toBe('pending')
      const other = { ...decision, standing: [held] }
      expect((await storage.approvals.deny(asked.approval_request_id, other))?.status).toBe('denied')
    })

    it('spends a grant no more often than it says, under a race on two replicas', async () => {
      const { storage, replica } = subject()
      const asked = await request(storage, fresh('who'), 60_000)
      await storage.approvals.open(asked, atMost(10))
      const grant = await grantFor(storage, asked, 60_000, 5)
      await storage.approvals.approve(grant, decision)
      const spent = await Promise.all(
        Array.from({ length: 24 }, (_, n) =>
          (n % 2 === 0 ? storage : replica).approvals.spend(grant.grant_id, 'inv-000000000001'),
        ),
      )
      expect(spent.filter(Boolean)).toHaveLength(5)
      expect(await storage.approvals.grant(grant.grant_id)).toEqual({ grant, uses: 5, isRevoked: false })
    })

    it('revokes a grant or spends it, whichever comes first on two replicas, and never both', async () => {
      const { storage, replica } = subject()
      for (let round = 0; round < 8; round++) {
        const asked = await request(storage, fresh('who'), 60_000)
        await storage.approvals.open(asked, atMost(10))
        const { grant_id } = await grantFor(storage, asked, 60_000).then(async (grant) => {
          await storage.approvals.approve(grant, decision)
          return grant
        })
        const acts = [
          () => storage.approvals.spend(grant_id, freshInvocation()),
          () => replica.approvals.revokeGrant(grant_id).then((revoked) => revoked !== undefined),
        ]
        const done = await Promise.all((round % 2 === 0 ? acts : acts.reverse()).map((act) => act()))
        expect(done.filter(Boolean)).toHaveLength(1)
        expect(await replica.approvals.revokeGrant(grant_id)).toBeUndefined()
        expect(await storage.approvals.spend(grant_id, freshInvocation())).toBe(false)
      }
      expect(await storage.approvals.revokeGrant('grt_none')).toBeUndefined()
    })

    it('revokes what is left of a grant, and gives its request', async () => {
      const { storage } = subject()
      const asked = await request(storage, fresh('who'), 60_000)
      await storage.approvals.open(asked, atMost(10))
      const grant = await grantFor(storage, asked, 60_000, 3)
      await storage.approvals.approve(grant, decision)
      await storage.approvals.spend(grant.grant_id, freshInvocation())
      expect(await storage.approvals.revokeGrant(grant.grant_id)).toMatchObject({
        approval_request_id: asked.approval_request_id,
        status: 'approved',
      })
      expect(await storage.approvals.grant(grant.grant_id)).toEqual({ grant, uses: 1, isRevoked: true })
    })

    it('tells what became of other requests of the requester for the capability', async () => {
      const { storage, pass } = subject()
      const who = fresh('who')
      const ask = async (part: object = {}, ttl = 60_000) => {
        const each = await request(storage, who, ttl, { requested_parameters_digest: fresh('sha256:'), ...part })
        await storage.approvals.open(each, atMost(50))
        await pass(2)
        return each
      }
      const at = (n: number) => `2026-01-01T00:00:0${n}.000Z`
      for (const n of [1, 2, 3, 4])
        await storage.approvals.deny((await ask()).approval_request_id, {
          ...decision,
          decided_at: at(n),
          reason: `r${n}`,
        })
      for (const n of [5, 6])
        await storage.approvals.approve(await grantFor(storage, await ask(), 60_000), {
          ...decision,
          decided_at: at(n),
        })
      await storage.approvals.deny((await ask({ capability: 'other' })).approval_request_id, decision)
      await storage.approvals.withdraw((await ask()).approval_request_id, at(7))
      await ask()
      await ask({}, 1)
      const asked = await ask()
      const { undecided, decided } = await storage.approvals.history(asked)
      expect([undecided, decided.length]).toEqual([{ withdrawn: 1, pending: 1, expired: 1 }, 6])
      expect(
        decided.slice(0, 5).map(({ status, approver, decided_at, reason }) => [status, approver, decided_at, reason]),
      ).toEqual([
        ['approved', 'human:approver', at(6), null],
        ['approved', 'human:approver', at(5), null],
        ['denied', 'human:approver', at(4), 'r4'],
        ['denied', 'human:approver', at(3), 'r3'],
        ['denied', 'human:approver', at(2), 'r2'],
      ])
      const nobody = await request(storage, fresh('who'), 60_000)
      expect(await storage.approvals.history(nobody)).toEqual({ undecided: {}, decided: [] })
    })

    it('spends no expired grant', async () => {
      const { storage, pass } = subject()
      const asked = await request(storage, fresh('who'), 60_000)
      await storage.approvals.open(asked, atMost(10))
      const grant = await grantFor(storage, asked, 40)
      await storage.approvals.approve(grant, decision)
      await pass(60)
      expect(await storage.approvals.spend(grant.grant_id, 'inv-000000000001')).toBe(false)
    })

    it('finds the grant of the very same call: requester, session, task, capability and digest', async () => {
      const { storage } = subject()
      const who = fresh('who')
      const asked = await request(storage, who, 60_000, { session_id: 's-1', task_id: 't-1' })
      await storage.approvals.open(asked, atMost(10))
      const call = callOf(asked)
      expect(await storage.approvals.earlier(call, NEVER)).toEqual({})
      const grant = await grantFor(storage, asked, 60_000)
      await storage.approvals.approve(grant, decision)
      expect(await storage.approvals.earlier(call, NEVER)).toEqual({ grantId: grant.grant_id })
      const others = [{ subject: 'agent:b' }, { rootPrincipal: 'human:b' }, { capability: 'x' }, { digest: 'x' }, { sessionId: 's-2' }, { sessionId: undefined }, { taskId: 't-2' }, { taskId: undefined }] as const // prettier-ignore
      for (const other of others)
        expect(await storage.approvals.earlier({ ...call, ...other }, NEVER), JSON.stringify(other)).toEqual({})
    })

    it('finds no grant that has expired', async () => {
      const { storage, pass } = subject()
      const asked = await request(storage, fresh('who'), 60_000)
      await storage.approvals.open(asked, atMost(10))
      await storage.approvals.approve(await grantFor(storage, asked, 40), decision)
      await pass(60)
      expect(await storage.approvals.earlier(callOf(asked), NEVER)).toEqual({})
    })

    it('says which invocation spent the grant, and whether it runs', async () => {
      const { storage } = subject()
      const asked = await request(storage, fresh('who'), 60_000)
      await storage.approvals.open(asked, atMost(10))
      const grant = await grantFor(storage, asked, 60_000)
      await storage.approvals.approve(grant, decision)
      const invocationId = freshInvocation()
      await storage.intents.record({ invocation_id: invocationId, owner: 'p', draft: draft(), started_at: 1 })
      await storage.approvals.spend(grant.grant_id, invocationId)
      expect(await storage.approvals.earlier(callOf(asked), NEVER)).toEqual({
        spent: { invocationId, isRunning: true },
      })
      const elsewhere = { ...callOf(asked), sessionId: 's-9' }
      expect(await storage.approvals.earlier(elsewhere, NEVER)).toEqual({ spent: { invocationId, isRunning: false } })
      for (const subject of ['agent:a', 'agent:zoe'] as const)
        expect(await storage.approvals.earlier({ ...callOf(asked), subject }, NEVER)).toEqual({})
      await startRecorder({ storage }).record({
        draft: draft({ invocation_id: invocationId }),
        closesIntent: invocationId,
      })
      expect(await storage.approvals.earlier(callOf(asked), NEVER)).toEqual({
        spent: { invocationId, isRunning: false },
      })
    })

    it('finds, of several grants of the same call, the one that lasts longest', async () => {
      const { storage } = subject()
      const who = fresh('who')
      const ids: string[] = []
      for (const ttlMs of [30_000, 60_000, 45_000]) {
        const asked = await request(storage, who, 60_000)
        await storage.approvals.open(asked, atMost(10))
        const grant = await grantFor(storage, asked, ttlMs)
        await storage.approvals.approve(grant, decision)
        ids.push(grant.grant_id)
      }
      const call = callOf(await request(storage, who, 60_000))
      expect(await storage.approvals.earlier(call, NEVER)).toEqual({ grantId: ids[1] })
      await storage.approvals.revokeGrant(ids[1]!)
      expect(await storage.approvals.earlier(call, NEVER)).toEqual({ grantId: ids[2] })
    })

    it('tells of the call that runs, not of one that came later and has ended, and to the same task alone', async () => {
      const { storage } = subject()
      const who = fresh('who')
      const [runs, ended] = [freshInvocation(), freshInvocation()]
      await storage.intents.record({ invocation_id: runs, owner: 'p', draft: draft(), started_at: 1 })
      for (const invocationId of [runs, ended]) {
        const asked = await request(storage, who, 60_000, { task_id: 't-1' })
        await storage.approvals.open(asked, atMost(10))
        const grant = await grantFor(storage, asked, 60_000)
        await storage.approvals.approve(grant, decision)
        await storage.approvals.spend(grant.grant_id, invocationId)
        await subject().pass(2)
      }
      const call = callOf(await request(storage, who, 60_000, { task_id: 't-1' }))
      const spent = { invocationId: runs, isRunning: true }
      expect(await storage.approvals.earlier(call, NEVER)).toEqual({ spent })
      const elsewhere = { ...call, taskId: 't-2' }
      expect(await storage.approvals.earlier(elsewhere, NEVER)).toEqual({ spent: { ...spent, isRunning: false } })
    })

    it('tells of the call that spent a grant last, where none of them runs', async () => {
      const { storage, pass } = subject()
      const who = fresh('who')
      const invocations = [freshInvocation(), freshInvocation(), freshInvocation()]
      const grants: string[] = []
      for (const _ of invocations) {
        const asked = await request(storage, who, 60_000)
        await storage.approvals.open(asked, atMost(10))
        const grant = await grantFor(storage, asked, 60_000)
        await storage.approvals.approve(grant, decision)
        grants.push(grant.grant_id)
      }
      for (const at of [1, 2, 0]) {
        await storage.approvals.spend(grants[at]!, invocations[at]!)
        await pass(2)
      }
      const call = callOf(await request(storage, who, 60_000))
      expect(await storage.approvals.earlier(call, NEVER)).toEqual({
        spent: { invocationId: invocations[0], isRunning: false },
      })
    })

    it('tells of the call that spent a grant last, where the grant has several uses', async () => {
      const { storage } = subject()
      const asked = await request(storage, fresh('who'), 60_000)
      await storage.approvals.open(asked, atMost(10))
      const grant = await grantFor(storage, asked, 60_000, 2)
      await storage.approvals.approve(grant, decision)
      const [first, last] = [freshInvocation(), freshInvocation()]
      for (const each of [first, last]) expect(await storage.approvals.spend(grant.grant_id, each)).toBe(true)
      const spent = { invocationId: last, isRunning: false }
      expect(await storage.approvals.earlier(callOf(asked), NEVER)).toEqual({ spent })
    })

    it('finds the last of several denials', async () => {
      const { storage } = subject()
      const who = fresh('who')
      const deny = async (decided_at: string) => {
        const asked = await request(storage, who, 60_000)
        await storage.approvals.open(asked, atMost(10))
        return storage.approvals.deny(asked.approval_request_id, { ...decision, decided_at })
      }
      await deny('2026-01-01T00:00:01.000Z')
      const denied = await deny('2026-01-01T00:00:03.000Z')
      await deny('2026-01-01T00:00:02.000Z')
      const call = callOf(await request(storage, who, 60_000))
      expect(await storage.approvals.earlier(call, since(decision.decided_at))).toEqual({ denied })
    })

    it('finds the last denial of a root principal, whoever asked', async () => {
      const { storage } = subject()
      const asked = await request(storage, fresh('who'), 60_000)
      await storage.approvals.open(asked, atMost(10))
      const denied = await storage.approvals.deny(asked.approval_request_id, decision)
      const other = { ...callOf(asked), subject: 'agent:other' } as const
      expect(await storage.approvals.earlier(other, since('2025-12-31T23:59:59.999Z'))).toEqual({ denied })
      expect(await storage.approvals.earlier(other, since(decision.decided_at))).toEqual({})
    })

    it('finds what was sent back to this very requester, until it was answered, once', async () => {
      const { storage, replica } = subject()
      const asked = await request(storage, fresh('who'), 60_000)
      await storage.approvals.open(asked, atMost(10))
      const id = asked.approval_request_id
      expect(await storage.approvals.answered(id)).toBe(false)
      const returned = await storage.approvals.deny(id, { ...decision, reason: 'Why?' }, undefined, 'returned')
      expect(returned).toMatchObject({ status: 'returned', reason: 'Why?' })
      const before = since('2025-12-31T23:59:59.999Z')
      const other = { ...callOf(asked), subject: 'agent:other' } as const
      expect(await storage.approvals.earlier(callOf(asked), before)).toEqual({ returned })
      expect(await storage.approvals.earlier(callOf(asked), since(decision.decided_at))).toEqual({})
      expect(await storage.approvals.earlier(other, before)).toEqual({})
      expect(await storage.approvals.approve(await grantFor(storage, asked, 60_000), decision)).toBeUndefined()
      const answered = await Promise.all([storage, replica].map((each) => each.approvals.answered(id)))
      expect(answered.toSorted()).toEqual([false, true])
      expect(await storage.approvals.earlier(callOf(asked), before)).toEqual({})
      expect(await storage.approvals.get(id)).toMatchObject({
        status: 'returned',
        answered_at: expect.any(String) as string,
      })
      expect(
        await storage.approvals.list({ status: 'returned', rootPrincipal: asked.requester.root_principal, limit: 9 }),
      ).toHaveLength(1)
    })

    it('withdraws a pending request once, and nothing decides it afterwards', async () => {
      const { storage, replica } = subject()
      const asked = await request(storage, fresh('who'), 60_000)
      await storage.approvals.open(asked, atMost(10))
      const id = asked.approval_request_id
      const withdrawn = await Promise.all(
        [storage, replica].map((each) => each.approvals.withdraw(id, decision.decided_at)),
      )
      expect(withdrawn.filter(Boolean).map((each) => each!.status)).toEqual(['withdrawn'])
      expect(await storage.approvals.deny(id, decision)).toBeUndefined()
      expect(await storage.approvals.approve(await grantFor(storage, asked, 60_000), decision)).toBeUndefined()
      expect((await storage.approvals.open({ ...asked, approval_request_id: fresh('apr_') }, atMost(1))).outcome).toBe(
        'created',
      )
    })

    it('gives what it withdrew: a pending request as withdrawn, an approved one with its grant, of another nothing', async () => {
      const { storage, replica } = subject()
      const [pending, approved] = [await request(storage, fresh('who'), 60_000), await request(storage, fresh('who'), 60_000)]
      for (const each of [pending, approved]) await storage.approvals.open(each, atMost(10))
      const grant = await grantFor(storage, approved, 60_000)
      await storage.approvals.approve(grant, decision)
      const withdraw = (id: string) => replica.approvals.withdraw(id, decision.decided_at)
      const id = approved.approval_request_id
      expect(await withdraw(pending.approval_request_id)).toMatchObject({ approval_request_id: pending.approval_request_id, status: 'withdrawn', decided_at: decision.decided_at })
      expect(await withdraw(id)).toMatchObject({ approval_request_id: id, status: 'approved', grant_id: grant.grant_id })
      expect([await withdraw(id), await withdraw(pending.approval_request_id), await withdraw('apr_none')]).toEqual([undefined, undefined, undefined])
    }) // prettier-ignore

    it.each<[string, Partial<StoredRequest>, Partial<RequestDecision>]>([
      ['by whom, and for which tier', { approver_scope: 'approver:dear' }, { by: ['human:a', 'agent:b'] }],
      ['by whom', {}, { by: ['human:a'] }],
      ['for which tier', { approver_scope: 'approver:dear' }, {}],
      ['neither, where nobody said', {}, {}],
    ])('knows of a grant what it was given by: %s', async (_, more, who) => {
      const { storage, replica } = subject()
      const asked = await request(storage, fresh('who'), 60_000, more)
      await storage.approvals.open(asked, atMost(10))
      const grant = await grantFor(storage, asked, 60_000)
      await storage.approvals.approve(grant, { ...decision, ...who })
      const known = await replica.approvals.grant(grant.grant_id)
      expect(known).toEqual({
        grant, uses: 0, isRevoked: false,
        ...(who.by && { givenBy: who.by }),
        ...(more.approver_scope !== undefined && { tier: more.approver_scope }),
      })
    }) // prettier-ignore

    it('ends the unspent grant of an approved request, which stays approved; a spent one stays', async () => {
      const { storage, replica } = subject()
      const asked = await request(storage, fresh('who'), 60_000)
      await storage.approvals.open(asked, atMost(10))
      const grant = await grantFor(storage, asked, 60_000)
      await storage.approvals.approve(grant, decision)
      const id = asked.approval_request_id
      const [spent, withdrawn] = await Promise.all([
        replica.approvals.spend(grant.grant_id, freshInvocation()),
        storage.approvals.withdraw(id, decision.decided_at),
      ])
      expect(spent).toBe(withdrawn === undefined)
      expect((await storage.approvals.get(id))?.status).toBe('approved')
      expect(await storage.approvals.spend(grant.grant_id, freshInvocation())).toBe(false)
      expect((await storage.approvals.grant(grant.grant_id))?.isRevoked).toBe(!spent)
    })

    it('lists of a root principal what one requester asked, and of capabilities what no tier decides', async () => {
      const { storage } = subject()
      const [root, other] = [fresh('root'), fresh('root')]
      const [capability, tier] = [fresh('cap'), fresh('scope.')]
      const open = async (who: string, of: string, part: Partial<StoredRequest> = {}) => {
        const requester = { subject: `agent:${who}`, root_principal: `human:${of}`, token_id: 'tok_x' } as const
        const asked = await request(storage, who, 60_000, { capability, requester, ...part })
        await storage.approvals.open(asked, atMost(10))
        return asked.approval_request_id
      }
      const mine = await open('planner', root)
      const sibling = await open('other', root)
      await open('planner', other)
      const dear = await open('dear', other, { approver_scope: tier })
      const ids = async (filter: object) =>
        (await storage.approvals.list({ limit: 10, ...filter })).map((each) => each.approval_request_id).toSorted()
      expect(await ids({ rootPrincipal: `human:${root}`, subject: 'agent:planner' })).toEqual([mine])
      expect(await ids({ rootPrincipal: `human:${root}` })).toEqual([mine, sibling].toSorted())
      expect(await ids({ capabilities: [capability], approverScopes: [] })).not.toContain(dear)
      expect(await ids({ capabilities: [capability], approverScopes: [] })).toHaveLength(3)
      expect(await ids({ capabilities: [], approverScopes: [tier] })).toEqual([dear])
      expect(await ids({ capabilities: [capability] })).toHaveLength(4)
    })

    it('lists each state by itself, what expired unnoticed and what was noted as expired alike', async () => {
      const { storage, pass } = subject()
      const who = fresh('who')
      const open = async (ttlMs: number) => {
        const asked = await request(storage, who, ttlMs, { requested_parameters_digest: fresh('sha256:') })
        await storage.approvals.open(asked, atMost(10))
        await pass(2)
        return asked
      }
      const noted = await open(1)
      await pass(20)
      const [pending, approved, denied, withdrawn] = [await open(60_000), await open(60_000), await open(60_000), await open(60_000)] // prettier-ignore
      await storage.approvals.approve(await grantFor(storage, approved, 60_000), decision)
      await storage.approvals.deny(denied.approval_request_id, decision)
      await storage.approvals.withdraw(withdrawn.approval_request_id, decision.decided_at)
      const unnoticed = await open(1)
      await pass(20)
      const listed: { [state: string]: readonly string[] } = {}
      for (const status of ['pending', 'approved', 'denied', 'withdrawn', 'expired'] as const)
        listed[status] = (await storage.approvals.list({ status, rootPrincipal: `human:${who}`, limit: 10 })).map(
          (each) => each.approval_request_id,
        )
      expect(listed).toEqual({
        pending: [pending.approval_request_id],
        approved: [approved.approval_request_id],
        denied: [denied.approval_request_id],
        withdrawn: [withdrawn.approval_request_id],
        expired: [unnoticed.approval_request_id, noted.approval_request_id],
      })
    })

    it('lists what was opened in one millisecond by its ids, and goes on after each of them', async () => {
      const { storage } = subject()
      const capability = fresh('cap')
      const now = await storage.now()
      const open = async (id: string, root: string, ms = 0) => {
        const requester = { subject: `agent:${id}`, root_principal: `human:${root}`, token_id: 'tok_x' } as const
        const at = { approval_request_id: id, created_at: iso(now + ms), capability, requester }
        await storage.approvals.open(await request(storage, id, 60_000, at), atMost(10))
      }
      const [newer, a, b, c] = [fresh('apr_'), fresh('apr_'), fresh('apr_'), fresh('apr_')]
      const [one, other, third] = [fresh('root'), fresh('root'), fresh('root')]
      await open(a, one)
      await open(b, one)
      await open(c, other)
      await open(newer, third, 1)
      const ids = async (filter: object): Promise<readonly string[]> =>
        (await storage.approvals.list({ capability, limit: 10, ...filter })).map((each) => each.approval_request_id)
      expect(await ids({})).toEqual([newer, c, b, a])
      expect([await ids({ after: newer }), await ids({ after: c }), await ids({ after: b })]).toEqual([[c, b, a], [b, a], [a]]) // prettier-ignore
      const turns = { status: 'pending', capabilities: [capability] }
      expect(await ids(turns)).toEqual([newer, c, b, a])
      expect([await ids({ ...turns, after: newer }), await ids({ ...turns, after: c }), await ids({ ...turns, after: b }), await ids({ ...turns, after: a })]).toEqual([[c, b, a], [b, a], [a], []]) // prettier-ignore
    })

    it('lists newest first whatever is not pending, or is for nobody in particular', async () => {
      const { storage, pass } = subject()
      const [capability, loud, quiet] = [fresh('cap'), fresh('loud'), fresh('quiet')]
      const open = async (root: string) => {
        const requester = { subject: `agent:${fresh('any')}`, root_principal: `human:${root}`, token_id: 'tok_x' } as const // prettier-ignore
        const asked = await request(storage, root, 60_000, { capability, requester })
        await storage.approvals.open(asked, atMost(10))
        await pass(2)
        return asked.approval_request_id
      }
      const opened = [await open(quiet), await open(loud), await open(loud)]
      const ids = async (filter: object): Promise<readonly string[]> =>
        (await storage.approvals.list({ capability, limit: 10, ...filter })).map((each) => each.approval_request_id)
      const [first, second, last] = opened
      expect(await ids({ status: 'pending', capabilities: [capability] })).toEqual([last, first, second])
      expect(await ids({ status: 'pending' })).toEqual([last, second, first])
      for (const id of opened) await storage.approvals.deny(id, decision)
      expect(await ids({ status: 'denied', capabilities: [capability] })).toEqual([last, second, first])
    })

    it('lists of the asked state alone, also what is seen for two reasons', async () => {
      const { storage } = subject()
      const [capability, who] = [fresh('cap'), fresh('who')]
      const open = async () => {
        const asked = await request(storage, who, 60_000, { capability, requested_parameters_digest: fresh('sha256:') })
        await storage.approvals.open(asked, atMost(10))
        return asked.approval_request_id
      }
      const [pending, denied] = [await open(), await open()]
      await storage.approvals.deny(denied, decision)
      const seen = { capabilities: [capability], approverScopes: [], rootPrincipal: `human:${who}`, limit: 10 } as const
      const ids = async (filter: object): Promise<readonly string[]> =>
        (await storage.approvals.list({ ...seen, ...filter })).map((each) => each.approval_request_id)
      expect(await ids({ status: 'pending' })).toEqual([pending])
      expect(await ids({ status: 'denied' })).toEqual([denied])
      expect(await ids({ status: 'pending', capability: fresh('cap') })).toEqual([])
      expect(await ids({ status: 'denied', capability: fresh('cap') })).toEqual([])
    })

    it('lists newest first, by state, by capability or root, and page by page', async () => {
      const { storage, pass } = subject()
      const who = fresh('who')
      const [mine, other] = [fresh('cap'), fresh('cap')]
      const asked = []
      for (const capability of [mine, other, mine]) {
        const each = await request(storage, who, 60_000, { capability, requested_parameters_digest: fresh('sha256:') })
        await storage.approvals.open(each, atMost(10))
        await pass(2)
        asked.push(each.approval_request_id)
      }
      const ids = async (filter: object): Promise<readonly string[]> =>
        (await storage.approvals.list({ limit: 10, ...filter })).map((each) => each.approval_request_id)
      expect(await ids({ rootPrincipal: `human:${who}` })).toEqual([asked[2], asked[1], asked[0]])
      expect(await ids({ capabilities: [mine] })).toEqual([asked[2], asked[0]])
      expect(await ids({ capabilities: [] })).toEqual([])
      expect(await ids({ capabilities: [other], rootPrincipal: 'human:nobody' })).toEqual([asked[1]])
      expect(await ids({ rootPrincipal: `human:${who}`, limit: 1, after: asked[2] })).toEqual([asked[1]])
      await storage.approvals.deny(asked[0]!, decision)
      expect(await ids({ rootPrincipal: `human:${who}`, status: 'pending' })).toEqual([asked[2], asked[1]])
      expect(await ids({ rootPrincipal: `human:${who}`, status: 'denied' })).toEqual([asked[0]])
      expect(await ids({ rootPrincipal: `human:${who}`, status: 'expired' })).toEqual([])
    })
  })
}
