import { describe, expect, it } from 'vitest'
import type { ConsoleSession } from '../../../../src/runtime/storage/contract.js'
import type { Subject } from '../contract.js'
import { fresh } from '../examples.js'

const HOUR = 3_600_000

export const sessionsContract = (subject: Subject): void => {
  describe('sessions', () => {
    const session = (given: Partial<ConsoleSession> = {}): ConsoleSession => ({
      hash: fresh('hash'),
      principal: `human:${fresh('who')}`,
      credential: { issuer: 'https://idp.example', subject: fresh('sub') },
      scopes: ['travel.approver'],
      ...given,
    })

    it('gives a session to every replica, as it was begun', async () => {
      const { storage, replica } = subject()
      const mine = session()
      await storage.sessions.begin(mine, HOUR, HOUR)
      expect(await replica.sessions.look(mine.hash)).toEqual({
        ...mine,
        age: expect.any(Number),
        idleLeft: expect.any(Number),
      })
      expect(await storage.sessions.look('another')).toBeUndefined()
    })

    it('keeps all that its person is entitled to, and counts its time', async () => {
      const { storage, replica, pass } = subject()
      const mine = session({ caller_classes: ['internal', 'partner'], roles: ['operator', 'auditor'] })
      await storage.sessions.begin(mine, HOUR, 60_000)
      await pass(50)
      const { age, idleLeft, ...kept } = (await replica.sessions.look(mine.hash))!
      expect(kept).toEqual(mine)
      expect([age >= 50, age < 30_000, idleLeft <= 60_000 - 50, idleLeft > 30_000]).toEqual([true, true, true, true])
    })

    it('ends it when it is told to, and then nothing brings it back', async () => {
      const { storage, replica } = subject()
      const mine = session()
      await storage.sessions.begin(mine, HOUR, HOUR)
      await replica.sessions.end(mine.hash)
      await storage.sessions.touch(mine.hash, HOUR)
      expect(await storage.sessions.look(mine.hash)).toBeUndefined()
    })

    it('ends it after an idle time; a use begins that anew, a look does not', async () => {
      const { storage, pass } = subject()
      const [used, looked] = [session(), session()]
      await storage.sessions.begin(used, HOUR, 900)
      await storage.sessions.begin(looked, HOUR, 900)
      await pass(500)
      await storage.sessions.touch(used.hash, 900)
      await storage.sessions.look(looked.hash)
      await pass(500)
      expect(await storage.sessions.look(used.hash)).toMatchObject({ hash: used.hash })
      expect(await storage.sessions.look(looked.hash)).toBeUndefined()
      await storage.sessions.touch(looked.hash, 900)
      expect(await storage.sessions.look(looked.hash)).toBeUndefined()
    })

    it('ends it after its lifetime, however much it is used', async () => {
      const { storage, pass } = subject()
      const mine = session()
      await storage.sessions.begin(mine, 900, HOUR)
      await storage.sessions.touch(mine.hash, HOUR)
      await pass(1000)
      expect(await storage.sessions.look(mine.hash)).toBeUndefined()
    })

    it('ends all of a person, or of a key, and of nobody else', async () => {
      const { storage, replica } = subject()
      const [one, other] = [session(), session()]
      const key = fresh('key')
      const byKey = session({ credential: { api_key: key } })
      for (const each of [one, { ...one, hash: fresh('hash') }, other, byKey])
        await storage.sessions.begin(each, HOUR, HOUR)
      expect(await replica.sessions.endAll({ principal: one.principal })).toHaveLength(2)
      expect(await replica.sessions.endAll({ api_key: key })).toHaveLength(1)
      expect(await storage.sessions.look(one.hash)).toBeUndefined()
      expect(await storage.sessions.look(byKey.hash)).toBeUndefined()
      expect(await storage.sessions.look(other.hash)).toMatchObject({ principal: other.principal })
    })
  })
}
