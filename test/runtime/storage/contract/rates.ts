import { describe, expect, it } from 'vitest'
import type { Subject } from '../contract.js'
import { fresh } from '../examples.js'

export const ratesContract = (subject: Subject): void => {
  describe('rates', () => {
    it('gives a minute’s worth of places at once, to two replicas together, and no more', async () => {
      const { storage, replica } = subject()
      const name = fresh('rate')
      const taken = await Promise.all(
        Array.from({ length: 30 }, (_, n) => (n % 2 === 0 ? storage : replica).rates.take(name, 2, 50)),
      )
      expect(taken.reduce((sum, { places }) => sum + places, 0)).toBe(50)
    })

    it('gives what is left when more is wanted, and then says how long to wait', async () => {
      const { rates } = subject().storage
      const name = fresh('rate')
      expect(await rates.take(name, 7, 10)).toEqual({ places: 7 })
      expect(await rates.take(name, 2, 10)).toEqual({ places: 2 })
      expect(await rates.take(name, 8, 10)).toEqual({ places: 1 })
      const { places, waitMs } = await rates.take(name, 8, 10)
      expect(places).toBe(0)
      expect(waitMs).toBeGreaterThan(5_000)
      expect(waitMs).toBeLessThanOrEqual(6_000)
    })

    it('fills steadily', async () => {
      const { storage, pass } = subject()
      const name = fresh('rate')
      expect(await storage.rates.take(name, 600, 600)).toEqual({ places: 600 })
      expect(await storage.rates.take(name, 1, 600)).toMatchObject({ places: 0 })
      await pass(250)
      const { places } = await storage.rates.take(name, 600, 600)
      expect(places).toBeGreaterThanOrEqual(2)
      expect(places).toBeLessThan(60)
    })

    it('has a bucket for each name, and holds more than any limit asks for', async () => {
      const { rates } = subject().storage
      expect(await rates.take(fresh('rate'), 1, 1)).toEqual({ places: 1 })
      expect(await rates.take(fresh('rate'), 5, 1)).toEqual({ places: 1 })
      expect(await rates.take(fresh('rate'), 1_000_000, 1e9)).toEqual({ places: 1_000_000 })
    })

    it('keeps a bucket that is not full through a sweep', async () => {
      const { storage } = subject()
      const name = fresh('rate')
      expect(await storage.rates.take(name, 1, 1)).toEqual({ places: 1 })
      await storage.sweep(await storage.now())
      expect(await storage.rates.take(name, 1, 1)).toMatchObject({ places: 0 })
    })
  })
}
