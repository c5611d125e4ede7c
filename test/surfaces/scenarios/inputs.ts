import { expect } from 'vitest'
import { failureOf, type Scenario } from '../scenario.js'
import { SECRET } from '../world.js'

const refused = (capability: string, input: () => object, words: RegExp): Scenario['play'] => {
  return async ({ agent, effects }) => {
    const { type, detail, retry, resolution } = failureOf(await agent.call(capability, input()))
    expect([type, retry, resolution.action]).toEqual(['invalid_parameters', false, 'check_manifest'])
    expect(detail).toMatch(words)
    expect(effects).toEqual([])
  }
}

/** What a call says, and what it is answered. */
export const inputs: readonly Scenario[] = [
  {
    name: 'a result is shown as it is',
    play: async ({ agent }) =>
      expect((await agent.call('search', { city: 'Fáro 🏖' })).shown).toEqual({
        found: 'Hotels in Fáro 🏖 with 3 stars',
      }),
  },
  {
    name: 'a default fills in what is left out',
    play: async ({ agent }) =>
      expect((await agent.call('search', { city: 'Faro', stars: 5 })).shown).toEqual({
        found: 'Hotels in Faro with 5 stars',
      }),
  },
  { name: 'a missing input is refused by name', play: refused('search', () => ({}), /city/u) },
  { name: 'an input of another type is refused', play: refused('search', () => ({ city: 7 }), /city/u) },
  { name: 'an input that nobody declared is refused', play: refused('note', () => ({ text: 'x', more: 1 }), /more/u) },
  {
    name: 'an input by a name of JavaScript is refused',
    play: refused('note', () => JSON.parse('{"text": "x", "constructor": {}}') as object, /constructor/u),
  },
  {
    name: 'a value outside the closed ones is refused',
    play: async ({ agent }) =>
      expect(failureOf(await agent.call('grade', { grade: 'z' })).type).toMatch(
        /^(?:invalid_parameters|clarification_required)$/u,
      ),
  },
  {
    name: 'what the service must be told is asked for, not guessed',
    play: async ({ agent }) => {
      const failure = failureOf(await agent.call('ask', {}))
      expect([failure.type, failure.resolution.action]).toEqual(['clarification_required', 'provide_input'])
      expect(failure['clarification']).toMatchObject({ inputs: [{ name: 'place', reason: 'missing' }] })
      expect((await agent.call('ask', { place: 'Faro' })).shown).toEqual({ place: 'Faro' })
    },
  },
  {
    name: 'a failure of the business comes with its data',
    play: async ({ agent }) =>
      expect(failureOf(await agent.call('sold_out', {}))).toMatchObject({
        type: 'sold_out',
        detail: 'Nothing is left.',
        data: { left: 0 },
      }),
  },
  {
    name: 'an error of a handler shows nothing of it',
    play: async ({ agent }) => {
      const turn = await agent.call('broken', {})
      expect(failureOf(turn).type).toBe('internal_error')
      expect(JSON.stringify(turn)).not.toContain(SECRET)
    },
  },
  {
    name: 'an effect that may have happened is not called a failure',
    play: async ({ agent }) => {
      const turn = await agent.call('broken_write', {})
      expect([failureOf(turn).type, failureOf(turn).retry]).toEqual(['outcome_unknown', false])
      expect(JSON.stringify(turn)).not.toContain(SECRET)
    },
  },
  {
    name: 'what can stream is answered whole to who does not ask for a stream',
    play: async ({ agent }) => expect((await agent.call('slow', {})).shown).toEqual({ done: 'slowly' }),
  },
]
