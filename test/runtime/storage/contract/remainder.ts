import { describe, expect, it } from 'vitest'
import type { Checkpoint } from '../../../../src/protocol/audit.js'
import { DuplicateId } from '../../../../src/runtime/storage/contract.js'
import type { Subject } from '../contract.js'
import { atMost, decision, fresh, grantFor, request, token } from '../examples.js'

const checkpoint = (sequence: number): Checkpoint => ({
  checkpoint_id: fresh('ckp_'),
  sequence,
  merkle_root: 'sha256:aa',
  entry_count: sequence,
  created_at: '2026-01-01T00:00:00.000Z',
  signature: 'h..s',
})

export const remainderContract = (subject: Subject): void => {
  describe('checkpoints', () => {
    it('rise by one; one of two replicas is first', async () => {
      const { storage, replica } = subject()
      expect(await storage.checkpoints.latest()).toBeUndefined()
      const [first, second] = [checkpoint(1), checkpoint(2)]
      expect(await storage.checkpoints.insert(second)).toBe(false)
      expect(await storage.checkpoints.insert(first)).toBe(true)
      const raced = await Promise.all([storage.checkpoints.insert(second), replica.checkpoints.insert(checkpoint(2))])
      expect([...raced].sort()).toEqual([false, true])
      expect(await storage.checkpoints.insert(checkpoint(2))).toBe(false)
      expect(await storage.checkpoints.get(first.checkpoint_id)).toEqual(first)
      expect(await storage.checkpoints.get('ckp_unknown')).toBeUndefined()
      expect((await replica.checkpoints.latest())?.sequence).toBe(2)
      expect((await storage.checkpoints.list(10)).map(({ sequence }) => sequence)).toEqual([2, 1])
      expect(await storage.checkpoints.list(1)).toHaveLength(1)
    })
  })

  describe('a secret', () => {
    it('is that of whoever asked first, for every replica, each by its name', async () => {
      const { storage, replica } = subject()
      const [name, other] = [fresh('secret'), fresh('secret')]
      expect(await storage.secret(name, 'one')).toBe('one')
      expect(await replica.secret(name, 'two')).toBe('one')
      expect(await replica.secret(other, 'two')).toBe('two')
    })
  })

  describe('bindings', () => {
    it('are given back as issued, and never replaced', async () => {
      const { storage } = subject()
      const issued = {
        binding_id: fresh('bnd_'),
        type: 'quote',
        capability: 'quote',
        root_principal: 'human:a',
        price: { currency: 'EUR', amount: 280.5 },
        data: { seat: '12A' },
        issued_at: 1,
      } as const
      await storage.bindings.insert(issued)
      await expect(storage.bindings.insert({ ...issued, issued_at: 2 })).rejects.toBeInstanceOf(DuplicateId)
      expect(await storage.bindings.get(issued.binding_id)).toEqual(issued)
      expect(await storage.bindings.get('bnd_unknown')).toBeUndefined()
    })
  })

  describe('the store', () => {
    it('is ready, and has a clock that passes', async () => {
      const { storage, pass } = subject()
      await storage.ready()
      const before = await storage.now()
      await pass(40)
      // A timer may fire a moment early by another clock.
      expect((await storage.now()) - before).toBeGreaterThanOrEqual(30)
    })

    it('gives each block of invocation ids once', async () => {
      const { storage, replica } = subject()
      const given = await Promise.all(
        Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? storage : replica).nextBlock()),
      )
      expect(new Set(given).size).toBe(20)
      expect(given.every((block) => Number.isSafeInteger(block) && block >= 1)).toBe(true)
    })

    it('sweeps what nothing can need, and nothing else', async () => {
      const { storage } = subject()
      const now = await storage.now()
      const old = fresh('bnd_')
      const kept = fresh('bnd_')
      const binding = { type: 'quote', capability: 'quote', root_principal: 'human:a', issued_at: 1 } as const
      await storage.bindings.insert({ ...binding, binding_id: old, expires_at: now - 8 * 24 * 3_600_000 })
      await storage.bindings.insert({ ...binding, binding_id: kept, expires_at: now - 3_600_000 })
      await storage.sweep(now)
      expect(await storage.bindings.get(old)).toBeUndefined()
      expect(await storage.bindings.get(kept)).toBeDefined()
    })

    it('sweeps the idempotency key of one capability and leaves the same key of another', async () => {
      const { storage } = subject()
      const now = await storage.now()
      const old = { subject: 'agent:a', capability: 'pay', key: fresh('k') } as const
      const kept = { ...old, capability: 'refund' }
      await storage.idempotency.start(old, 'd', 'inv-1', now - 8 * 24 * 3_600_000)
      await storage.idempotency.start(kept, 'd', 'inv-2', now + 60_000)
      await storage.sweep(now)
      expect(await storage.idempotency.start(old, 'd', 'inv-3', now + 60_000)).toEqual({ state: 'started' })
      expect(await storage.idempotency.start(kept, 'd', 'inv-4', now + 60_000)).toEqual({ state: 'in_progress' })
    })

    it('keeps the time that was vouched for last', async () => {
      const { storage, replica } = subject()
      await storage.clock.confirm(1000)
      await replica.clock.confirm(1999.7)
      expect(await storage.clock.state()).toEqual({ confirmed: 2000 })
      await storage.ready()
      expect(await storage.clock.state()).toEqual({ confirmed: 2000 })
    })

    it('keeps a doubt, its first time and its longest wait, until a time is vouched for', async () => {
      const { storage, replica } = subject()
      await storage.clock.confirm(1000)
      await storage.clock.doubt({ vouched: 1500, waited: 7 })
      await replica.clock.doubt({ vouched: 1600, waited: 90.4 })
      await storage.clock.doubt({ vouched: 1500, waited: 60 })
      expect(await storage.clock.state()).toEqual({ confirmed: 1000, doubted: { vouched: 1500, waited: 90 } })
      await replica.clock.confirm(3000)
      expect(await storage.clock.state()).toEqual({ confirmed: 3000 })
    })

    it('sweeps tokens, requests and grants a week after they expired', async () => {
      const { storage } = subject()
      const now = await storage.now()
      const ids = [fresh('tok_'), fresh('tok_'), fresh('tok_')]
      const expiries = [now / 1000 - 8 * 86_400, now / 1000 - 8 * 86_400, now / 1000]
      for (const [n, id] of ids.entries()) {
        const record = token(id)
        await storage.tokens.insert({ ...record, claims: { ...record.claims, exp: Math.floor(expiries[n]!) } })
      }
      await storage.ledger.reserve(fresh('h'), [{ tokenId: ids[0]!, maxUnits: 5n }], 5n)
      const asked = await request(storage, fresh('who'), 60_000)
      await storage.approvals.open(asked, atMost(10))
      const grant = await grantFor(storage, asked, 8 * 86_400_000)
      await storage.approvals.approve(grant, decision)

      await storage.sweep(now)
      const found = await Promise.all(ids.map((id) => storage.tokens.chain(id)))
      expect(found.map((chain) => chain !== undefined)).toEqual([false, false, true])
      expect(await storage.ledger.spent(ids[0]!)).toBe(0n)
      await storage.sweep(now + 8 * 86_400_000)
      expect(await storage.approvals.grant(grant.grant_id)).toBeDefined()
      await storage.sweep(now + 17 * 86_400_000)
      expect(await storage.approvals.grant(grant.grant_id)).toBeUndefined()
      expect(await storage.approvals.get(asked.approval_request_id)).toBeUndefined()
    })
  })
}
