import { describe, expect, it } from 'vitest'
import type { Principal } from '../../../../src/protocol/principals.js'
import type { Subject } from '../contract.js'
import { fresh } from '../examples.js'

export const accountsContract = (subject: Subject): void => {
  describe('accounts', () => {
    const human = (): Principal => `human:${fresh('who')}`
    const account = (issuer = 'https://idp.example') => ({ issuer, subject: fresh('sub') })

    it('gives a name that no account is known by as it is', async () => {
      const [name, other] = [human(), human()]
      expect(await subject().storage.accounts.namesOf([name, other])).toEqual([name, other])
      expect(await subject().storage.accounts.namesOf([])).toEqual([])
    })

    it('gives all names that share accounts, over any number of steps, to every replica', async () => {
      const { storage, replica } = subject()
      const names = [human(), human(), human(), human()] as const
      const accounts = [account(), account(), account()]
      for (const [n, each] of accounts.entries()) {
        await storage.accounts.remember(each, names[n]!)
        await replica.accounts.remember(each, names[n + 1]!)
        await storage.accounts.remember(each, names[n]!)
      }
      for (const name of names) expect([...(await replica.accounts.namesOf([name]))].sort()).toEqual([...names].sort())
    })

    it('keeps apart subjects of different issuers', async () => {
      const { storage } = subject()
      const [one, other] = [human(), human()]
      const mine = account()
      await storage.accounts.remember(mine, one)
      await storage.accounts.remember({ ...mine, issuer: 'https://guests.example' }, other)
      expect(await storage.accounts.namesOf([one])).toEqual([one])
    })
  })
}
