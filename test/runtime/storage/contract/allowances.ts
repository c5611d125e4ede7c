import { describe, expect, it } from 'vitest'
import { startRecorder } from '../../../../src/runtime/audit/recorder.js'
import type { Subject } from '../contract.js'
import { atMost, claims, decision, draft, fresh, grantFor, iso, request } from '../examples.js'

const BUDGET = { currency: 'EUR', max_amount: 5, mode: 'cumulative' } as const

export const allowancesContract = (subject: Subject): void => {
  describe('allowances', () => {
    const budgeted = async (mode: 'cumulative' | 'per_invocation') => {
      const id = fresh('tok_')
      const { constraints, ...rest } = claims(id)
      const record = { claims: { ...rest, constraints: { ...constraints, budget: { ...BUDGET, mode } } }, depth: 0 }
      await subject().storage.tokens.insert(record)
      return id
    }

    it('gives what stands of tokens, and ends each once, for every replica', async () => {
      const { storage, replica } = subject()
      const [pool, each] = [await budgeted('cumulative'), await budgeted('per_invocation')]
      await storage.ledger.reserve(fresh('h'), [{ tokenId: pool, maxUnits: 500n }], 280n)
      const stands = { rootPrincipal: 'human:a@example.com', isRevoked: false, expiresAt: 1_700_007_200_000 }
      expect(await storage.allowances.tokens([pool, each, 'tok_unknown'])).toEqual(
        new Map([
          [pool, { ...stands, currency: 'EUR', spentUnits: 280n }],
          [each, { ...stands, currency: undefined, spentUnits: 0n }],
        ]),
      )
      const ended = await Promise.all([storage, replica].map(({ allowances }) => allowances.endToken(pool, 7)))
      expect(ended.toSorted()).toEqual([false, true])
      expect((await replica.tokens.chain(pool))?.[0].revoked_at).toBe(7)
      expect((await storage.allowances.tokens([pool])).get(pool)?.isRevoked).toBe(true)
      expect(await storage.allowances.endToken('tok_unknown', 7)).toBe(false)
    })

    it('gives what stands of more tokens than one statement names', async () => {
      const { storage } = subject()
      const known = [await budgeted('cumulative'), await budgeted('cumulative'), await budgeted('cumulative'), await budgeted('cumulative')] as const // prettier-ignore
      const ids = Array.from({ length: 600 }, (_, index) => `tok_unknown${index}`)
      for (const [nth, place] of [0, 511, 512, 599].entries()) ids[place] = known[nth]!
      const found = await storage.allowances.tokens(ids)
      expect([...found.keys()].toSorted()).toEqual(known.toSorted())
    })

    it('gives what stands of grants, and ends each once, spent or not', async () => {
      const { storage, replica } = subject()
      const asked = await request(storage, fresh('who'), 60_000)
      await storage.approvals.open(asked, atMost(5))
      const grant = await grantFor(storage, asked, 60_000)
      await storage.approvals.approve(grant, decision)
      await storage.approvals.spend(grant.grant_id, 'inv-1')
      const expiresAt = Date.parse(grant.expires_at)
      expect(await storage.allowances.grants([grant.grant_id, 'grt_unknown'])).toEqual(
        new Map([[grant.grant_id, { isRevoked: false, expiresAt, uses: 1, maxUses: 1 }]]),
      )
      const ended = await Promise.all([storage, replica].map(({ allowances }) => allowances.endGrant(grant.grant_id)))
      expect(ended.toSorted()).toEqual([false, true])
      expect((await replica.approvals.grant(grant.grant_id))?.isRevoked).toBe(true)
    })

    it('finds the first entry of a time', async () => {
      const { storage } = subject()
      const recorder = startRecorder({ storage })
      const from = (await storage.audit.size()) + 1
      const time = Date.parse('2031-01-01T00:00:00.000Z')
      for (const ms of [0, 0, 1]) await recorder.record({ draft: draft({ timestamp: iso(time + ms) }) })
      const since = async (ms: number) => (await storage.audit.firstSince(time + ms)) - from
      expect([await since(0), await since(1), await since(2)]).toEqual([0, 2, 3])
      expect(await storage.audit.firstSince(0)).toBe(1)
    })
  })
}
