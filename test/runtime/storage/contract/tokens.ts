import { describe, expect, it } from 'vitest'
import { DuplicateId } from '../../../../src/runtime/storage/contract.js'
import type { Subject } from '../contract.js'
import { claims, fresh, token } from '../examples.js'

export const tokensContract = (subject: Subject): void => {
  describe('tokens', () => {
    it('gives a root as a chain of one, as it was stored', async () => {
      const { storage } = subject()
      const id = fresh('tok_')
      await storage.tokens.insert(token(id))
      expect(await storage.tokens.chain(id)).toEqual([{ claims: claims(id), depth: 0 }])
    })

    it('gives a chain root first, in one read', async () => {
      const { storage } = subject()
      const [root, child, leaf] = [fresh('tok_'), fresh('tok_'), fresh('tok_')]
      await storage.tokens.insert(token(root))
      await storage.tokens.insert(token(child, 1, root))
      await storage.tokens.insert(token(leaf, 2, child))
      expect((await storage.tokens.chain(leaf))?.map(({ claims: { jti } }) => jti)).toEqual([root, child, leaf])
    })

    it('knows no unknown token', async () => {
      expect(await subject().storage.tokens.chain('tok_unknown')).toBeUndefined()
      expect(await subject().storage.tokens.revoke('tok_unknown', 1)).toBeUndefined()
    })

    it('refuses an id that is taken, and keeps the first', async () => {
      const { storage } = subject()
      const id = fresh('tok_')
      await storage.tokens.insert(token(id))
      await expect(storage.tokens.insert(token(id, 7))).rejects.toBeInstanceOf(DuplicateId)
      expect((await storage.tokens.chain(id))?.[0].depth).toBe(0)
    })

    it('takes many at once, and one of an id', async () => {
      const { storage } = subject()
      const ids = Array.from({ length: 100 }, () => fresh('tok_'))
      const twice = ids[70]!
      const inserted = await Promise.allSettled([...ids, twice].map((id) => storage.tokens.insert(token(id))))
      expect(inserted.filter(({ status }) => status === 'rejected')).toEqual([
        { status: 'rejected', reason: new DuplicateId(`The token id ${twice} is taken.`) },
      ])
      expect(await Promise.all(ids.map((id) => storage.tokens.chain(id)))).not.toContain(undefined)
    })

    it('revokes with all descendants, visibly to every replica', async () => {
      const { storage, replica } = subject()
      const [root, child, leaf] = [fresh('tok_'), fresh('tok_'), fresh('tok_')]
      await storage.tokens.insert(token(root))
      await storage.tokens.insert(token(child, 1, root))
      await storage.tokens.insert(token(leaf, 2, child))
      expect(await storage.tokens.revoke(root, 123)).toBe(2)
      const chain = await replica.tokens.chain(leaf)
      expect(chain?.map(({ revoked_at }) => revoked_at)).toEqual([123, undefined, undefined])
    })

    it('keeps the first time of revocation', async () => {
      const { storage } = subject()
      const id = fresh('tok_')
      await storage.tokens.insert(token(id))
      expect(await storage.tokens.revoke(id, 123)).toBe(0)
      expect(await storage.tokens.revoke(id, 456)).toBe(0)
      expect((await storage.tokens.chain(id))?.[0].revoked_at).toBe(123)
    })

    it('keeps every character of the claims', async () => {
      const { storage } = subject()
      const id = fresh('tok_')
      const parameters = { note: `'"\\ \u2028 e\u0301 😀 \n`, n: 1e21, zero: 0, deep: [{ __p: null }] }
      const record = { claims: { ...claims(id), purpose: { parameters } }, depth: 0 }
      await storage.tokens.insert(record)
      expect(await storage.tokens.chain(id)).toEqual([record])
    })
  })
}
