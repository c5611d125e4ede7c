import { describe, expect, it } from 'vitest'
import { startRecorder } from '../../../../src/runtime/audit/recorder.js'
import type { Subject } from '../contract.js'
import { draft, fresh, freshInvocation } from '../examples.js'

export const ledgerContract = (subject: Subject): void => {
  describe('ledger', () => {
    it('reserves up to the ceiling and not one unit beyond', async () => {
      const { ledger } = subject().storage
      const tokenId = fresh('tok_')
      const ceilings = [{ tokenId, maxUnits: 500n }]
      expect(await ledger.reserve(fresh('h'), ceilings, 280n)).toEqual({ held: true, spentUnits: 280n })
      expect(await ledger.reserve(fresh('h'), ceilings, 221n)).toEqual({ held: false, tokenId, spentUnits: 280n })
      expect(await ledger.reserve(fresh('h'), ceilings, 220n)).toEqual({ held: true, spentUnits: 500n })
      expect(await ledger.spent(tokenId)).toBe(500n)
    })

    it('reserves under all ceilings or none', async () => {
      const { ledger } = subject().storage
      const [root, child] = [fresh('tok_'), fresh('tok_')]
      const ceilings = [
        { tokenId: root, maxUnits: 500n },
        { tokenId: child, maxUnits: 100n },
      ]
      expect(await ledger.reserve(fresh('h'), ceilings, 101n)).toEqual({
        held: false,
        tokenId: child,
        spentUnits: 0n,
      })
      expect(await ledger.spent(root)).toBe(0n)
      expect(await ledger.reserve(fresh('h'), ceilings, 100n)).toEqual({ held: true, spentUnits: 100n })
      expect(await ledger.spent(root)).toBe(100n)
    })

    it('holds exactly what fits, under a race of children on two replicas', async () => {
      const { storage, replica } = subject()
      const root = fresh('tok_')
      const children = Array.from({ length: 4 }, () => fresh('tok_'))
      const held = await Promise.all(
        Array.from({ length: 48 }, (_, n) =>
          (n % 2 === 0 ? storage : replica).ledger.reserve(
            fresh('h'),
            [
              { tokenId: root, maxUnits: 10n },
              { tokenId: children[n % 4]!, maxUnits: 8n },
            ],
            1n,
          ),
        ),
      )
      expect(held.filter((each) => each.held)).toHaveLength(10)
      expect(await storage.ledger.spent(root)).toBe(10n)
    })

    it('tells those who ask at once what was spent after each of them', async () => {
      const { ledger } = subject().storage
      const [root, child] = [fresh('tok_'), fresh('tok_')]
      await ledger.reserve(fresh('h'), [{ tokenId: root, maxUnits: 100n }], 7n)
      const ceilings = [root, child].map((tokenId) => ({ tokenId, maxUnits: 100n }))
      const asked = [1n, 2n, 3n, 4n].map((units) => ledger.reserve(fresh('h'), ceilings, units))
      expect(await Promise.all(asked)).toEqual([1n, 3n, 6n, 10n].map((spentUnits) => ({ held: true, spentUnits })))
      expect([await ledger.spent(root), await ledger.spent(child)]).toEqual([17n, 10n])
    })

    it('holds those that fit, of those who ask at once for too much together', async () => {
      const { ledger } = subject().storage
      const tokenId = fresh('tok_')
      const ceilings = [{ tokenId, maxUnits: 100n }]
      const asked = [10n, 40n, 40n, 40n].map((units) => ledger.reserve(fresh('h'), ceilings, units))
      const held = (await Promise.all(asked)).map((each) => each.held)
      expect(held.filter((each) => !each)).toHaveLength(1)
      expect(await ledger.spent(tokenId)).toBe(90n)
    })

    it('keeps apart what is asked for at once under other ceilings', async () => {
      const { ledger } = subject().storage
      const [one, other] = [fresh('tok_'), fresh('tok_')]
      const asked = [one, one, other, one].map((tokenId) =>
        ledger.reserve(fresh('h'), [{ tokenId, maxUnits: tokenId === one ? 2n : 5n }], 1n),
      )
      expect((await Promise.all(asked)).filter((each) => each.held)).toHaveLength(3)
      expect([await ledger.spent(one), await ledger.spent(other)]).toEqual([2n, 1n])
    })

    it('settles each of those that were taken together by itself', async () => {
      const { storage } = subject()
      const tokenId = fresh('tok_')
      const holds = [fresh('h'), fresh('h'), fresh('h')]
      await Promise.all(holds.map((id) => storage.ledger.reserve(id, [{ tokenId, maxUnits: 100n }], 10n)))
      const hold = { holdId: holds[2]!, units: 4n, ceilings: 1 }
      await startRecorder({ storage }).record({ draft: draft(), hold })
      expect(await storage.ledger.spent(tokenId)).toBe(24n)
      const left = await Promise.all(holds.map((id) => storage.ledger.held(id)))
      expect(left).toEqual([{ units: 10n, ceilings: 1 }, { units: 10n, ceilings: 1 }, undefined])
    })

    it('refuses a hold id that waits already', async () => {
      const { ledger } = subject().storage
      const ceilings = [{ tokenId: fresh('tok_'), maxUnits: 100n }]
      const id = fresh('h')
      const asked = [fresh('h'), id, id].map((holdId) => ledger.reserve(holdId, ceilings, 1n))
      const [first, second, third] = await Promise.allSettled(asked)
      expect([first!.status, second!.status]).toEqual(['fulfilled', 'fulfilled'])
      expect(third).toMatchObject({ reason: { name: 'DuplicateId', message: `The hold id ${id} is taken.` } })
    })

    it('settles a hold to what was really spent, once, together with the entry', async () => {
      const { storage } = subject()
      const recorder = startRecorder({ storage })
      const tokenId = fresh('tok_')
      const holdId = fresh('h')
      await storage.ledger.reserve(holdId, [{ tokenId, maxUnits: 500n }], 280n)
      await recorder.record({ draft: draft(), hold: { holdId, units: 250n, ceilings: 1 } })
      await recorder.record({ draft: draft(), hold: { holdId, units: 0n, ceilings: 1 } })
      expect(await storage.ledger.spent(tokenId)).toBe(250n)
    })

    it('says what a hold reserves until it is settled', async () => {
      const { storage, replica } = subject()
      const [root, child, holdId] = [fresh('tok_'), fresh('tok_'), fresh('h')]
      const ceilings = [root, child].map((tokenId) => ({ tokenId, maxUnits: 500n }))
      await storage.ledger.reserve(holdId, ceilings, 280n)
      expect(await replica.ledger.held(holdId)).toEqual({ units: 280n, ceilings: 2 })
      await startRecorder({ storage }).record({ draft: draft(), hold: { holdId, units: 250n, ceilings: 2 } })
      expect(await replica.ledger.held(holdId)).toBeUndefined()
    })

    it('is settled once by those who resolve an invocation, on two replicas at a time', async () => {
      const { storage, replica } = subject()
      const [tokenId, id] = [fresh('tok_'), freshInvocation()]
      await storage.ledger.reserve(id, [{ tokenId, maxUnits: 500n }], 280n)
      const size = await storage.audit.size()
      const sealed = await Promise.all(
        [storage, replica, storage, replica].map((each, n) =>
          startRecorder({ storage: each }).record({
            draft: draft(),
            resolves: id,
            hold: { holdId: id, units: BigInt(n + 1), ceilings: 1 },
          }),
        ),
      )
      const winner = sealed.findIndex((each) => each !== undefined)
      expect(sealed.filter((each) => each !== undefined)).toHaveLength(1)
      expect(await storage.ledger.spent(tokenId)).toBe(BigInt(winner + 1))
      expect(await storage.audit.size()).toBe(size + 1)
    })

    it('releases a hold that came to nothing, and counts what exceeded it', async () => {
      const { storage } = subject()
      const recorder = startRecorder({ storage })
      const tokenId = fresh('tok_')
      const [released, exceeded] = [fresh('h'), fresh('h')]
      await storage.ledger.reserve(released, [{ tokenId, maxUnits: 500n }], 280n)
      await recorder.record({ draft: draft(), hold: { holdId: released, units: 0n, ceilings: 1 } })
      expect(await storage.ledger.spent(tokenId)).toBe(0n)
      await storage.ledger.reserve(exceeded, [{ tokenId, maxUnits: 500n }], 280n)
      await recorder.record({ draft: draft(), hold: { holdId: exceeded, units: 600n, ceilings: 1 } })
      expect(await storage.ledger.reserve(fresh('h'), [{ tokenId, maxUnits: 500n }], 1n)).toEqual({
        held: false,
        tokenId,
        spentUnits: 600n,
      })
    })

    it('is exact beyond 2^53', async () => {
      const { ledger } = subject().storage
      const ceilings = [{ tokenId: fresh('tok_'), maxUnits: 9_007_199_254_740_995n }]
      await ledger.reserve(fresh('h'), ceilings, 9_007_199_254_740_993n)
      expect(await ledger.reserve(fresh('h'), ceilings, 3n)).toMatchObject({ held: false })
      expect(await ledger.reserve(fresh('h'), ceilings, 2n)).toMatchObject({ spentUnits: 9_007_199_254_740_995n })
    })

    it('holds anything when there is no ceiling', async () => {
      const { ledger } = subject().storage
      const asked = [fresh('h'), fresh('h')].map((id) => ledger.reserve(id, [], 5n))
      expect(await Promise.all(asked)).toEqual([5n, 5n].map(() => ({ held: true, spentUnits: 0n })))
      expect(await subject().storage.ledger.spent('tok_unknown')).toBe(0n)
    })
  })
}
