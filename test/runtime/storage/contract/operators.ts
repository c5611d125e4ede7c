import { describe, expect, it } from 'vitest'
import type { Block } from '../../../../src/protocol/operator.js'
import type { TokenRecord } from '../../../../src/protocol/token.js'
import type { Subject } from '../contract.js'
import { fresh, token } from '../examples.js'

export const operatorsContract = (subject: Subject): void => {
  describe('what operators do', () => {
    const stored = async (claims: Partial<TokenRecord['claims']>, apiKey?: string): Promise<string> => {
      const { storage } = subject()
      const record = token(fresh('tok_'))
      const exp = Math.floor((await storage.now()) / 1000) + 3600
      const credential = apiKey === undefined ? {} : { credential: { api_key: apiKey } }
      await storage.tokens.insert({ ...record, ...credential, claims: { ...record.claims, exp, ...claims } })
      return record.claims.jti
    }

    it('finds tokens by principal, subject, API key and capability, in pages', async () => {
      const { replica } = subject()
      const [principal, subjectName, key, capability] = [`human:${fresh('p')}`, `agent:${fresh('s')}`, fresh('key'), fresh('c')] as const // prettier-ignore
      const one = await stored({ root_principal: principal }, key)
      const two = await stored({ root_principal: principal, sub: subjectName, capability })
      const ids = async (filter: object, limit = 10) =>
        (await replica.operators.tokens({ ...filter, limit })).map(({ claims }) => claims.jti)
      expect(await ids({ principal })).toEqual([one, two])
      expect(await ids({ principal }, 1)).toEqual([one])
      expect(await ids({ principal, after: one })).toEqual([two])
      expect(await ids({ subject: subjectName })).toEqual([two])
      expect(await ids({ api_key: key })).toEqual([one])
      expect(await ids({ capability })).toEqual([two])
      expect(await ids({ principal, capability, api_key: key })).toEqual([])
      expect((await ids({})).length).toBeGreaterThan(1)
    })

    it('ends tokens in one write, a principal’s also where they were made out to it, and tells of those that stood', async () => {
      const { storage, replica } = subject()
      const principal = `human:${fresh('p')}` as const
      const own = await stored({ root_principal: principal })
      const given = await stored({ sub: principal })
      const over = await stored({ root_principal: principal, exp: 1 })
      const other = await stored({})
      expect(await storage.operators.endTokens('principal', [principal], 7)).toEqual([own, given])
      expect(await storage.operators.endTokens('principal', [principal], 8)).toEqual([])
      const revokedAt = async (id: string) => (await replica.tokens.chain(id))?.at(-1)?.revoked_at
      expect([await revokedAt(own), await revokedAt(given), await revokedAt(over), await revokedAt(other)]).toEqual([7, 7, 7, undefined]) // prettier-ignore
      expect(await storage.operators.endTokens('token_id', [other], 9)).toEqual([other])
    })

    it('knows the API keys of whose tokens one stands', async () => {
      const { storage, replica } = subject()
      const [live, over, ended] = [fresh('key'), fresh('key'), fresh('key')]
      await stored({}, live)
      await stored({}, live)
      await stored({ exp: 1 }, over)
      await stored({}, ended)
      await storage.operators.endTokens('api_key', [ended], 1)
      const buying = await replica.operators.buyingApiKeys(await storage.now())
      expect([live, over, ended].map((key) => buying.filter((each) => each === key).length)).toEqual([1, 0, 0])
    })

    it('blocks by any name of a principal, until the block is lifted', async () => {
      const { storage, replica } = subject()
      const [name, other] = [`human:${fresh('p')}`, `oidc:${fresh('o')}`] as const
      const account = { issuer: 'https://idp.example', subject: fresh('sub') }
      await storage.accounts.remember(account, name)
      await storage.accounts.remember(account, other)
      const block: Block = {
        block_id: fresh('blk_'), kind: 'principal', value: name, reason: 'Stolen.', created_by: 'human:op', created_at: '2030-01-01T00:00:00.000Z',
      } // prettier-ignore
      expect(await storage.operators.blockOf({ principal: other })).toBeUndefined()
      expect(await storage.operators.block(block)).toEqual(block)
      expect(await replica.operators.block({ ...block, block_id: fresh('blk_') })).toEqual(block)
      expect(await replica.operators.blockOf({ principal: other })).toEqual(block)
      expect(await replica.operators.blockOf({ principal: 'human:free', apiKey: name, subject: name })).toBeUndefined()
      expect((await replica.operators.blocks(1))[0]).toEqual(block)
      const lifted = { ...block, lifted_by: 'human:op2', lifted_at: '1970-01-01T00:00:00.009Z' }
      expect(await storage.operators.lift(block.block_id, 'human:op2', 9)).toEqual(lifted)
      expect(await storage.operators.lift(block.block_id, 'human:op2', 9)).toBeUndefined()
      expect(await replica.operators.blockOf({ principal: other })).toBeUndefined()
      expect((await replica.operators.blocks(1))[0]).toEqual(lifted)
    })

    it('blocks API keys and subjects by what they are', async () => {
      const { storage, replica } = subject()
      const [key, agent] = [fresh('key'), `agent:${fresh('a')}`] as const
      const made = { reason: 'r', created_by: 'human:op', created_at: '2030-01-01T00:00:00.000Z' } as const
      await storage.operators.block({ ...made, block_id: fresh('blk_'), kind: 'api_key', value: key })
      await storage.operators.block({ ...made, block_id: fresh('blk_'), kind: 'subject', value: agent })
      expect(await replica.operators.blockOf({ principal: 'human:x', apiKey: key })).toMatchObject({ value: key })
      expect(await replica.operators.blockOf({ principal: agent, subject: agent })).toMatchObject({ value: agent })
      expect(await replica.operators.blockOf({ principal: agent, apiKey: agent })).toBeUndefined()
    })

    it('finds the block that is meant, among others of the same text, and lists the newest first', async () => {
      const { storage, replica } = subject()
      const name = `agent:${fresh('a')}` as const
      const made = { value: name, reason: 'r', created_by: 'human:op' } as const
      const ofSubject = { ...made, block_id: fresh('blk_'), kind: 'subject', created_at: '2031-01-01T00:00:00.000Z' } as const // prettier-ignore
      const ofKey = { ...made, block_id: fresh('blk_'), kind: 'api_key', created_at: '2031-01-02T00:00:00.000Z' } as const // prettier-ignore
      await storage.operators.block(ofKey)
      await storage.operators.block(ofSubject)
      expect(await replica.operators.blockOf({ principal: 'human:x', subject: name })).toEqual(ofSubject)
      expect(await replica.operators.blockOf({ principal: 'human:x', apiKey: name })).toEqual(ofKey)
      expect(await replica.operators.blockOf({ principal: name })).toBeUndefined()
      expect((await replica.operators.blocks(2)).map(({ kind }) => kind)).toEqual(['api_key', 'subject'])
      await storage.operators.lift(ofSubject.block_id, 'human:op', 9)
      expect(await replica.operators.blockOf({ principal: 'human:x', subject: name })).toBeUndefined()
      expect(await replica.operators.blockOf({ principal: 'human:x', apiKey: name })).toEqual(ofKey)
      await storage.operators.lift(ofKey.block_id, 'human:op', 9)
    })

    it('keeps who lifted a block first, and makes a new one where that was lifted', async () => {
      const { storage, replica } = subject()
      const made = { kind: 'subject', value: `agent:${fresh('a')}`, reason: 'r', created_by: 'human:op', created_at: '2029-01-01T00:00:00.000Z' } as const // prettier-ignore
      const [first, second] = [
        { ...made, block_id: fresh('blk_') },
        { ...made, block_id: fresh('blk_') },
      ]
      await storage.operators.block(first)
      const lifted = await storage.operators.lift(first.block_id, 'human:op', 9)
      expect(await replica.operators.lift(first.block_id, 'human:other', 10)).toBeUndefined()
      expect(await replica.operators.block(second)).toEqual(second)
      expect(lifted).toMatchObject({ lifted_by: 'human:op', lifted_at: '1970-01-01T00:00:00.009Z' })
      expect((await replica.operators.blocks(1000)).find(({ block_id }) => block_id === first.block_id)).toEqual(lifted)
      await storage.operators.lift(second.block_id, 'human:op', 9)
    })

    it('pauses and resumes', async () => {
      const { storage, replica } = subject()
      const capability = fresh('cap')
      const paused = { capability, reason: 'r', paused_by: 'human:op', paused_at: '2030-01-01T00:00:00.000Z' } as const
      await storage.operators.pause(paused)
      await replica.operators.pause({ ...paused, reason: 'again' })
      const earlier = { ...paused, capability: `a.${capability}` }
      await storage.operators.pause(earlier)
      expect(await replica.operators.paused()).toEqual([earlier, paused])
      expect(await replica.operators.resume(earlier.capability)).toBe(true)
      expect([await replica.operators.resume(capability), await storage.operators.resume(capability)]).toEqual([true, false]) // prettier-ignore
      expect(await storage.operators.paused()).toEqual([])
    })
  })
}
