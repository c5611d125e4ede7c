import { expect } from 'vitest'
import { because, expectRefused, failureOf, type Scenario } from '../scenario.js'
import { FRAMEWORKS } from '../surfaces.js'

const ONLY_LISTED = because(
  'A framework calls only the tools that it was given, and it is given what the token may call.',
  FRAMEWORKS,
)

/** What a token allows, and what it does not. */
export const authority: readonly Scenario[] = [
  {
    name: 'the agent is shown what its token may call',
    play: async ({ agent }) =>
      expect(await agent.list()).toEqual(expect.arrayContaining(['search', 'trip.book', 'pay'])),
  },
  {
    name: 'what the token may not call is not shown',
    play: async ({ agent }) => expect(await agent.list()).not.toContain('secret'),
  },
  {
    name: 'what only people may call is not shown to an agent',
    play: async ({ agent }) => expect(await agent.list()).not.toContain('human'),
  },
  {
    name: 'a token of one scope shows less',
    play: async ({ another, delegate }) => {
      const { token } = await delegate({ scope: ['travel.search'] })
      const shown = await (await another({ token })).list()
      expect([shown.includes('search'), shown.includes('trip.book')]).toEqual([true, false])
    },
  },
  {
    name: 'a token for one capability shows that one',
    play: async ({ another, delegate }) => {
      const { token } = await delegate({ scope: ['travel.search'], capability: 'note' })
      expect(await (await another({ token })).list()).toEqual(['note'])
    },
  },
  {
    name: 'a call without the scope is refused by the service',
    notOn: ONLY_LISTED,
    play: async ({ agent }) => expect(failureOf(await agent.call('secret', {})).type).toBe('scope_insufficient'),
  },
  {
    name: 'a call of what only people may call is refused',
    notOn: ONLY_LISTED,
    play: async ({ agent }) => expect(failureOf(await agent.call('human', {})).type).toBe('non_delegable_action'),
  },
  {
    name: 'a token for another capability is refused',
    notOn: ONLY_LISTED,
    play: async ({ another, delegate }) => {
      const { token } = await delegate({ scope: ['travel.search'], capability: 'note' })
      const called = await (await another({ token })).call('search', { city: 'Faro' })
      expect(failureOf(called).type).toBe('purpose_mismatch')
    },
  },
  {
    name: 'an unknown capability is refused',
    notOn: ONLY_LISTED,
    play: async ({ agent }) => expect(failureOf(await agent.call('nothing', {})).type).toBe('unknown_capability'),
  },
  {
    name: 'a revoked token is refused, and has no effect',
    play: async ({ agent, revoke, token_id, effects }) => {
      await revoke(token_id)
      await expectRefused(() => agent.call('note', { text: 'x' }), 'token_revoked')
      expect(effects).toEqual([])
    },
  },
  {
    name: 'a revoked token is shown nothing',
    play: async ({ agent, revoke, token_id }) => {
      await revoke(token_id)
      await expect(agent.list()).rejects.toThrow()
    },
  },
  {
    name: 'an expired token is refused',
    play: async ({ agent, later }) => {
      later(3 * 3600_000)
      await expectRefused(() => agent.call('search', { city: 'Faro' }), 'token_expired')
    },
  },
  {
    name: 'a forged token is refused',
    play: async ({ another, token }) => {
      const forged = `${token.slice(0, -8)}${token.endsWith('AAAAAAAA') ? 'BBBBBBBB' : 'AAAAAAAA'}`
      await expectRefused(
        async () => (await another({ token: forged })).call('search', { city: 'Faro' }),
        'invalid_token',
      )
    },
  },
  {
    name: 'a token below another one ends with it',
    play: async ({ another, below, revoke, token_id }) => {
      const { token } = await below({ scope: ['travel.search'] })
      expect((await (await another({ token })).call('search', { city: 'Faro' })).shown).toHaveProperty('found')
      await revoke(token_id)
      await expectRefused(async () => (await another({ token })).call('search', { city: 'Faro' }), 'token_revoked')
    },
  },
]
