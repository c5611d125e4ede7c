import { describe, expect, it } from 'vitest'
import type { StoredConnection } from '../../../../src/runtime/storage/contract.js'
import type { Subject } from '../contract.js'
import { fresh } from '../examples.js'

export const connectionsContract = (subject: Subject): void => {
  describe('connections', () => {
    const connection = (given: Partial<StoredConnection> = {}): StoredConnection => ({
      connection_id: fresh('con_'),
      person: `human:${fresh('who')}`,
      upstream: 'mail',
      revision: 1,
      account: 'ana@example.com',
      scopes: ['mail.read'],
      issuer: 'https://login.mail.example',
      connected_at: 1_767_225_600_000,
      sealed: 'kid.text',
      mac: 'kid.mac',
      ...given,
    })
    const kept = async (given: Partial<StoredConnection> = {}) => {
      const mine = connection(given)
      await subject().storage.connections.put(mine)
      return mine
    }

    it('gives a connection to every replica, as it was put', async () => {
      const { replica } = subject()
      const mine = await kept()
      const found = { ...mine, state: 'connected', wanted: [] }
      expect(await replica.connections.of(mine.person, 'mail')).toEqual(found)
      expect(await replica.connections.get(mine.connection_id)).toEqual(found)
      expect(await replica.connections.of(mine.person, 'files')).toBeUndefined()
      expect(await replica.connections.of('human:nobody', 'mail')).toBeUndefined()
    })

    it('puts one in the place of the one before, of which nothing is left', async () => {
      const { storage, replica } = subject()
      const { person, connection_id } = await kept()
      await storage.connections.want(connection_id, ['mail.send'])
      await storage.connections.used(connection_id, 'agent:desk', 5)
      const next = await kept({ person, account: 'ana@work.example' })
      expect(await replica.connections.get(connection_id)).toBeUndefined()
      expect(await replica.connections.of(person, 'mail')).toEqual({ ...next, state: 'connected', wanted: [] })
    })

    it('lists by person and by upstream, in the order of ids, page by page', async () => {
      const { storage, replica } = subject()
      const upstream = fresh('upstream')
      const ids = (await Promise.all([1, 2, 3].map(() => kept({ upstream })))).map((each) => each.connection_id).sort()
      const all = await replica.connections.list({ upstream, limit: 9 })
      expect(all.map((each) => each.connection_id)).toEqual(ids)
      const rest = await replica.connections.list({ upstream, after: ids[0]!, limit: 1 })
      expect(rest.map((each) => each.connection_id)).toEqual([ids[1]])
      expect(await storage.connections.list({ person: all[2]!.person, limit: 9 })).toEqual([all[2]])
    })

    it('is renewed by one owner at a time, and a revision once', async () => {
      const { storage, replica } = subject()
      const mine = await kept()
      const id = mine.connection_id
      const begun = await Promise.all([
        storage.connections.beginRenewal(id, 1, 'one'),
        replica.connections.beginRenewal(id, 1, 'other'),
      ])
      expect(begun.filter(Boolean)).toEqual([true])
      const [owner, other] = begun[0] ? ['one', 'other'] : ['other', 'one']
      expect(await replica.connections.get(id)).toMatchObject({ state: 'renewing', renewing_ms: expect.any(Number) })
      const renewed = { ...mine, revision: 2, sealed: 'kid.next' }
      expect(await replica.connections.endRenewal(renewed, other!)).toBe(false)
      expect(await storage.connections.endRenewal(renewed, owner!)).toBe(true)
      expect(await replica.connections.get(id)).toEqual({ ...renewed, state: 'connected', wanted: [] })
      expect(await replica.connections.beginRenewal(id, 1, 'one')).toBe(false)
      expect(await replica.connections.beginRenewal(id, 2, 'one')).toBe(true)
    })

    it('is encrypted anew unless it is being renewed, and under another revision', async () => {
      const { storage, replica } = subject()
      const mine = await kept()
      const next = { ...mine, revision: 2, sealed: 'other.next' }
      expect(await storage.connections.reencrypt(next)).toBe(true)
      expect(await replica.connections.get(mine.connection_id)).toEqual({ ...next, state: 'connected', wanted: [] })
      expect(await replica.connections.reencrypt(next)).toBe(false)
      await storage.connections.beginRenewal(mine.connection_id, 2, 'one')
      expect(await replica.connections.reencrypt({ ...next, revision: 3 })).toBe(false)
    })

    it('is as it was after a renewal that its owner gives back', async () => {
      const { storage, replica } = subject()
      const mine = await kept()
      await storage.connections.beginRenewal(mine.connection_id, 1, 'one')
      await replica.connections.abandonRenewal(mine.connection_id, 'other')
      expect(await replica.connections.get(mine.connection_id)).toMatchObject({ state: 'renewing' })
      await replica.connections.abandonRenewal(mine.connection_id, 'one')
      expect(await replica.connections.get(mine.connection_id)).toEqual({ ...mine, state: 'connected', wanted: [] })
    })

    it('ends once, and its tokens with it', async () => {
      const { storage, replica } = subject()
      const { sealed: _, ...mine } = await kept()
      expect(await storage.connections.end({ ...mine, revision: 2 }, 'blocked')).toBe(false)
      expect(await replica.connections.end(mine, 'disconnected')).toBe(true)
      expect(await replica.connections.end(mine, 'blocked')).toBe(false)
      const ended = { ...mine, state: 'ended', ended_because: 'disconnected', wanted: [] }
      expect(await storage.connections.get(mine.connection_id)).toEqual(ended)
      expect(await storage.connections.beginRenewal(mine.connection_id, 1, 'one')).toBe(false)
      expect(await storage.connections.endRenewal({ ...mine, revision: 2 }, 'one')).toBe(false)
    })

    it('ends where its renewal began long ago, and not before', async () => {
      const { storage, replica, pass } = subject()
      const { sealed: _, ...mine } = await kept()
      const interrupted = () => replica.connections.end(mine, 'interrupted', 400)
      expect(await interrupted()).toBe(false)
      await storage.connections.beginRenewal(mine.connection_id, 1, 'one')
      expect(await interrupted()).toBe(false)
      await pass(500)
      expect(await interrupted()).toBe(true)
      expect(await storage.connections.endRenewal({ ...mine, revision: 2 }, 'one')).toBe(false)
    })

    it('keeps what was asked for beyond it, and who used it last', async () => {
      const { storage, replica } = subject()
      const mine = await kept()
      await storage.connections.want(mine.connection_id, ['mail.send'])
      await storage.connections.used(mine.connection_id, 'agent:desk', 1_767_225_600_001)
      expect(await replica.connections.get(mine.connection_id)).toEqual({
        ...mine,
        state: 'connected',
        wanted: ['mail.send'],
        last_used_at: 1_767_225_600_001,
        last_used_by: 'agent:desk',
      })
    })
  })
}
