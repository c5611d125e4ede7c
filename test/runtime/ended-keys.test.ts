/** A key that has ended ends what it bought: once, and again after it was back (decisions, section 13). */
import { expect, it } from 'vitest'
import { endingKeys } from '../../src/runtime/operate/ended-keys.js'
import { startFixture } from './fixture/service.js'

it('ends the tokens of a key each time that it goes, and not while it is gone', async () => {
  const { service } = await startFixture()
  const ended: string[] = []
  let gone: readonly string[] = []
  const operators = {
    ...service.storage.operators,
    endTokens: async (_: unknown, [value]: readonly string[]) => (ended.push(value!), []),
  }
  const end = endingKeys()
  const look = async (...names: readonly string[]) => {
    gone = names
    await end({ ...service, apiKeys: { ...service.apiKeys, ended: () => gone.map((id) => ({ id })) }, storage: { ...service.storage, operators } } as never)
    return ended.splice(0)
  }
  expect([await look(), await look('ana'), await look('ana'), await look('ana', 'bob'), await look('bob'), await look('ana', 'bob')]).toEqual([
    [], ['ana'], [], ['bob'], [], ['ana'],
  ])
}) // prettier-ignore

it('ends the tokens of a key in the next look where the store failed in this one', async () => {
  const { service } = await startFixture()
  let isAway = true
  const ended: string[] = []
  const operators = {
    ...service.storage.operators,
    endTokens: async (_: unknown, [value]: readonly string[]) => {
      if (isAway) throw new Error('away')
      ended.push(value!)
      return []
    },
  }
  const end = endingKeys()
  const look = () =>
    end({
      ...service,
      apiKeys: { ...service.apiKeys, ended: () => [{ id: 'ana' }] },
      storage: { ...service.storage, operators },
    } as never)
  await expect(look()).rejects.toThrow('away')
  isAway = false
  await look()
  expect(ended).toEqual(['ana'])
})
