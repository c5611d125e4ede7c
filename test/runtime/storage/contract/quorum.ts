import { describe, expect, it } from 'vitest'
import type { ApprovalGiven, GrantTerms } from '../../../../src/runtime/storage/contract.js'
import type { Subject } from '../contract.js'
import { atMost, decision, fresh, grantFor, request, token } from '../examples.js'

const TERMS: GrantTerms = { grant_type: 'one_time', session_id: null, expires_in_seconds: 900, max_uses: 1 }
const NOTHING = { counted: [], lapsed: [] }

const by = (name: string): ApprovalGiven => ({
  ...decision,
  approver: `human:${name}`,
  by: [`human:${name}`],
  standing: [],
  terms: TERMS,
})

export const quorumContract = (subject: Subject): void => {
  describe('an approval of several', () => {
    const ask = async (needed: number) => {
      const { storage } = subject()
      const asked = await request(storage, fresh('who'), 60_000, { approvals_needed: needed })
      await storage.approvals.open(asked, atMost(10))
      return asked
    }

    it('counts, and stays with its request', async () => {
      const { storage } = subject()
      const { approval_request_id: id } = await ask(3)
      const first = by(fresh('ana'))
      expect(await storage.approvals.give(id, first, NOTHING)).toMatchObject({
        outcome: 'given',
        request: { approvals: 1 },
      })
      expect(await storage.approvals.given(id)).toEqual([first])
      expect(await storage.approvals.get(id)).toMatchObject({ status: 'pending', approvals: 1, approvals_needed: 3 })
    })

    it('is none where others are there than those that were seen, or where it is the same person', async () => {
      const { storage } = subject()
      const { approval_request_id: id } = await ask(3)
      const [ana, bo] = [by(fresh('ana')), by(fresh('bo'))]
      await storage.approvals.give(id, ana, NOTHING)
      expect(await storage.approvals.give(id, bo, NOTHING)).toEqual({ outcome: 'changed' })
      expect(await storage.approvals.give(id, ana, { counted: [ana], lapsed: [] })).toEqual({ outcome: 'same_person' })
      expect(await storage.approvals.give(id, bo, { counted: [], lapsed: [ana] })).toMatchObject({
        request: { approvals: 1 },
      })
    })

    it('is none where fewer or others are there than were seen, and takes the place of what does not count', async () => {
      const { storage } = subject()
      const { approval_request_id: id } = await ask(4)
      const [ana, bo, cy, di] = [by(fresh('ana')), by(fresh('bo')), by(fresh('cy')), by(fresh('di'))]
      await storage.approvals.give(id, ana, NOTHING)
      const changed = { outcome: 'changed' }
      expect(await storage.approvals.give(id, cy, { counted: [ana, bo], lapsed: [] })).toEqual(changed)
      expect(await storage.approvals.give(id, cy, { counted: [bo], lapsed: [] })).toEqual(changed)
      await storage.approvals.give(id, bo, { counted: [ana], lapsed: [] })
      await storage.approvals.give(id, cy, { counted: [ana, bo], lapsed: [] })
      expect(await storage.approvals.give(id, di, { counted: [bo], lapsed: [ana, cy] })).toMatchObject({
        outcome: 'given',
        request: { approvals: 2 },
      })
      const there = (await storage.approvals.given(id)).map(({ approver }) => approver)
      expect(there.toSorted()).toEqual([bo.approver, di.approver].toSorted())
    })

    it('is none, and makes no grant, where a token behind one that was counted is revoked', async () => {
      const { storage, replica } = subject()
      const held = fresh('tok_')
      await storage.tokens.insert(token(held))
      const asked = await ask(2)
      const ana = { ...by(fresh('ana')), standing: [held] }
      const bo = by(fresh('bo'))
      await storage.approvals.give(asked.approval_request_id, ana, NOTHING)
      await replica.tokens.revoke(held, 1)
      const seen = { counted: [ana], lapsed: [] }
      const grant = await grantFor(storage, asked, 60_000)
      expect(await storage.approvals.approve(grant, bo, undefined, { ...seen, terms: TERMS })).toBeUndefined()
      expect(await storage.approvals.give(asked.approval_request_id, bo, seen)).toEqual({ outcome: 'changed' })
    })

    it('is none once its request has expired', async () => {
      const { storage, pass } = subject()
      const asked = await request(storage, fresh('who'), 40, { approvals_needed: 3 })
      await storage.approvals.open(asked, atMost(10))
      await pass(60)
      const given = await storage.approvals.give(asked.approval_request_id, by(fresh('ana')), NOTHING)
      expect(given).toEqual({ outcome: 'closed' })
    })

    it('is none of whoever lent their authority to one that counts, by any of their names', async () => {
      const { storage } = subject()
      const { approval_request_id: id } = await ask(3)
      const [ana, bo] = [fresh('ana'), fresh('bo')]
      const account = { issuer: 'https://idp.example', subject: fresh('sub') }
      await storage.accounts.remember(account, `human:${ana}`)
      await storage.accounts.remember(account, `oidc:${ana}`)
      const lent = { ...by(bo), by: [`human:${ana}`, `human:${bo}`] as const }
      await storage.approvals.give(id, lent, NOTHING)
      const same = { ...by(ana), approver: `oidc:${ana}`, by: [`oidc:${ana}`] } as const
      expect(await storage.approvals.give(id, same, { counted: [lent], lapsed: [] })).toEqual({
        outcome: 'same_person',
      })
    })

    it('is none of the same person, whoever gave theirs before', async () => {
      const { storage } = subject()
      const { approval_request_id: id } = await ask(3)
      const [ana, bo] = [by(fresh('ana')), by(fresh('bo'))]
      await storage.approvals.give(id, ana, NOTHING)
      await storage.approvals.give(id, bo, { counted: [ana], lapsed: [] })
      const counted = await storage.approvals.given(id)
      for (const again of [ana, bo])
        expect(await storage.approvals.give(id, again, { counted, lapsed: [] })).toEqual({ outcome: 'same_person' })
    })

    it('goes with its request, a week after that has expired', async () => {
      const { storage } = subject()
      const { approval_request_id: id } = await ask(3)
      await storage.approvals.give(id, by(fresh('ana')), NOTHING)
      await storage.sweep((await storage.now()) + 8 * 86_400_000)
      expect(await storage.approvals.given(id)).toEqual([])
    })

    it('is one of as many as come at once, in two replicas, and one of them makes the grant', async () => {
      const { storage, replica } = subject()
      const asked = await ask(2)
      const id = asked.approval_request_id
      const people = Array.from({ length: 6 }, () => by(fresh('who')))
      const given = await Promise.all(
        people.map((each, n) => (n % 2 === 0 ? storage : replica).approvals.give(id, each, NOTHING)),
      )
      expect(given.filter(({ outcome }) => outcome === 'given')).toHaveLength(1)
      const counted = await storage.approvals.given(id)
      const others = people.filter(({ approver }) => approver !== counted[0]!.approver)
      const grants = await Promise.all(
        others.map(async (each, n) =>
          (n % 2 === 0 ? storage : replica).approvals.approve(await grantFor(storage, asked, 60_000), each, undefined, {
            counted,
            lapsed: [],
            terms: TERMS,
          }),
        ),
      )
      expect(grants.filter((each) => each !== undefined)).toMatchObject([{ status: 'approved', approvals: 2 }])
    })

    it('makes no grant before there are enough', async () => {
      const { storage } = subject()
      const asked = await ask(3)
      const last = { counted: [], lapsed: [], terms: TERMS }
      expect(
        await storage.approvals.approve(await grantFor(storage, asked, 60_000), by(fresh('ana')), undefined, last),
      ).toBeUndefined()
      expect(await storage.approvals.get(asked.approval_request_id)).toMatchObject({ status: 'pending', approvals: 0 })
      expect(await storage.approvals.given(asked.approval_request_id)).toEqual([])
    })
  })
}
