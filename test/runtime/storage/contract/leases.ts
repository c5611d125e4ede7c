import { describe, expect, it } from 'vitest'
import type { Subject } from '../contract.js'
import { fresh } from '../examples.js'

export const leasesContract = (subject: Subject): void => {
  describe('leases', () => {
    it('has one holder of many who ask at once on two replicas', async () => {
      const { storage, replica } = subject()
      const key = fresh('key')
      const taken = await Promise.all(
        Array.from({ length: 24 }, (_, n) => (n % 2 === 0 ? storage : replica).leases.acquire(key, `o${n}`, 60_000)),
      )
      expect(taken.filter(Boolean)).toHaveLength(1)
    })

    it('is not taken twice, not even by its holder', async () => {
      const { leases } = subject().storage
      const key = fresh('key')
      expect(await leases.acquire(key, 'a', 60_000)).toBe(true)
      expect(await leases.acquire(key, 'a', 60_000)).toBe(false)
    })

    it('is released and renewed by its holder only', async () => {
      const { leases } = subject().storage
      const key = fresh('key')
      await leases.acquire(key, 'a', 60_000)
      await leases.release(key, 'b')
      expect(await leases.renew(key, 'b', 60_000)).toBe(false)
      expect(await leases.renew(key, 'a', 60_000)).toBe(true)
      await leases.release(key, 'a')
      expect(await leases.renew(key, 'a', 60_000)).toBe(false)
      expect(await leases.acquire(key, 'b', 60_000)).toBe(true)
    })

    it('lapses, and is then its former holder’s no more', async () => {
      const { storage, pass } = subject()
      const key = fresh('key')
      await storage.leases.acquire(key, 'a', 40)
      await pass(60)
      expect(await storage.leases.renew(key, 'a', 60_000)).toBe(false)
      expect(await storage.leases.acquire(key, 'b', 60_000)).toBe(true)
      await storage.leases.release(key, 'a')
      expect(await storage.leases.acquire(key, 'c', 60_000)).toBe(false)
    })

    it('stays while it is renewed', async () => {
      const { storage, pass } = subject()
      const key = fresh('key')
      await storage.leases.acquire(key, 'a', 2_000)
      await pass(1_000)
      expect(await storage.leases.renew(key, 'a', 3_000)).toBe(true)
      await pass(1_200)
      expect(await storage.leases.acquire(key, 'b', 60_000)).toBe(false)
    })
  })
}
