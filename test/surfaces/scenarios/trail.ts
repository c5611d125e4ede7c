import { expect } from 'vitest'
import { ask, type Scenario } from '../scenario.js'
import { SECRET } from '../world.js'

/** What is repeated, and what is written down. */
export const trail: readonly Scenario[] = [
  {
    name: 'one call is one entry, under the name of the agent',
    play: async ({ agent, trail: entries }) => {
      await agent.call('search', { city: 'Faro' })
      expect(await entries()).toMatchObject([{ capability: 'search', success: true, actor_key: 'agent:planner', root_principal: 'human:ana' }]) // prettier-ignore
    },
  },
  {
    name: 'a refused call is an entry, too',
    play: async ({ agent, trail: entries }) => {
      await agent.call('search', {})
      expect(await entries()).toMatchObject([{ capability: 'search', success: false, failure_type: 'invalid_parameters' }]) // prettier-ignore
    },
  },
  {
    name: 'the task goes onto the trail',
    play: async ({ agent, trail: entries }) => {
      await agent.call('search', { city: 'Faro' }, { task: 'trip-7' })
      expect(await entries()).toMatchObject([{ task_id: 'trip-7' }])
    },
  },
  {
    name: 'an approved call names its request and its grant',
    play: async (stage) => {
      const { turn, request } = await ask(stage, 'trip.book', { hotel: 'Ritz' })
      await stage.approve(request.approval_request_id)
      await (await stage.another()).resume(turn.state, true)
      const done = (await stage.trail()).filter(({ success }) => success === true)
      expect(done).toMatchObject([{ approval_request_id: request.approval_request_id, approval_grant_id: expect.any(String) as string }]) // prettier-ignore
    },
  },
  {
    name: 'one id of a call is one effect, however often it comes',
    play: async ({ agent, another, effects }) => {
      const turns = [await agent.call('note', { text: 'x' }, { id: 'call_1' }), await (await another()).call('note', { text: 'x' }, { id: 'call_1' })] // prettier-ignore
      expect(turns.map(({ shown }) => shown)).toEqual([{ noted: 'x' }, { noted: 'x' }])
      expect(effects).toHaveLength(1)
    },
  },
  {
    name: 'one id of a call, twice at once, is one effect',
    play: async ({ another, effects }) => {
      const agents = [await another(), await another()]
      await Promise.all(agents.map((each) => each.call('note', { text: 'x' }, { id: 'call_1' })))
      expect(effects).toHaveLength(1)
    },
  },
  {
    name: 'two ids are two effects',
    play: async ({ agent, effects }) => {
      await agent.call('note', { text: 'x' }, { id: 'call_1' })
      await agent.call('note', { text: 'x' }, { id: 'call_2' })
      expect(effects).toHaveLength(2)
    },
  },
  {
    name: 'no token is in what the model is shown, and none on the trail',
    play: async (stage) => {
      const turns = [await stage.agent.call('search', { city: 'Faro' }), await stage.agent.call('search', {}), (await ask(stage, 'trip.book', { hotel: 'Ritz' })).turn] // prettier-ignore
      const seen = JSON.stringify([turns, await stage.agent.list(), await stage.trail()])
      expect(seen).not.toContain(stage.token)
      expect(seen).not.toContain(stage.token.split('.')[2])
      expect([seen, ...stage.fixture.logged].join('\n')).not.toContain(SECRET)
    },
  },
]
