import { describe, expect, it } from 'vitest'
import { aiSdk7 } from './agents/ai-sdk-7.js'
import { aiSdk6 } from './agents/ai-sdk.js'

import type { Connect, Place } from './agents/agent.js'
import { langChain } from './agents/langchain.js'
import { openAiAgents } from './agents/openai-agents.js'
import { makesNoCode } from './validator.js'
import { startWorld } from './world.js'

const FRAMEWORKS: readonly (readonly [string, Connect])[] = [
  ['AI SDK 6', aiSdk6],
  // A process of its own, of a Node that is installed for it.
  ...(makesNoCode ? [] : [['AI SDK 7', aiSdk7] as const]),
  ['OpenAI Agents', openAiAgents],
  ['LangChain', langChain],
]

describe.each(FRAMEWORKS)('an agent of %s', (_, connectTo) => {
  const connect = (place: Place) => connectTo(place, undefined as never)

  it('is shown what its token may call, and nothing else: S8', async () => {
    const { place, delegate } = await startWorld()
    const all = await (await connect(place)).list()
    expect(all).toContain('trip.book')
    expect(all).not.toContain('secret')
    const { token } = await delegate({ scope: ['travel.search'] })
    expect(await (await connect({ ...place, token })).list()).not.toContain('trip.book')
  })

  it('is shown the result, and refusals as results: S1', async () => {
    const { place } = await startWorld()
    const agent = await connect(place)
    expect((await agent.call('search', { city: 'Faro' })).shown).toEqual({ found: 'Hotels in Faro with 3 stars' })
    expect((await agent.call('search', {})).shown).toMatchObject({
      failure: { type: 'invalid_parameters', retry: false, resolution: { action: 'check_manifest' } },
      invocation_id: expect.stringMatching(/^inv-/u) as string,
    })
    expect((await agent.call('ask', {})).shown?.failure).toMatchObject({
      type: 'clarification_required',
      clarification: { inputs: [{ name: 'place', reason: 'missing' }] },
    })
    expect((await agent.call('sold_out', {})).shown?.failure).toMatchObject({ type: 'sold_out', data: { left: 0 } })
  })

  it('pauses, and goes on after a restart where the approval came first: one effect, no stray request: S16', async () => {
    const { place, requests, approve, effects } = await startWorld()
    const paused = await (await connect(place)).call('trip.book', { hotel: 'Ritz' })
    expect(paused).toMatchObject({ paused: true })
    const [asked, ...others] = await requests()
    expect([asked!.status, others]).toEqual(['pending', []])
    expect(effects).toEqual([])
    await approve(asked!.approval_request_id)
    const done = await (await connect(place)).resume(paused.state, true)
    expect(done.shown).toEqual({ booked: 'Ritz' })
    expect(effects).toEqual([{ hotel: 'Ritz' }])
    expect(await requests()).toHaveLength(1)
  })

  it('has one effect when a run is resumed twice', async () => {
    const { place, requests, approve, effects } = await startWorld()
    const agent = await connect(place)
    const paused = await agent.call('trip.book', { hotel: 'Ritz' })
    await approve((await requests())[0]!.approval_request_id)
    const done = [await agent.resume(paused.state, true), await (await connect(place)).resume(paused.state, true)]
    expect(done[0]!.shown).toEqual({ booked: 'Ritz' })
    expect(effects).toHaveLength(1)
  })

  it('is not approved by the yes of its user: S17', async () => {
    const { place, effects, requests } = await startWorld()
    const agent = await connect(place)
    const paused = await agent.call('trip.book', { hotel: 'Ritz' })
    const still = await agent.resume(paused.state, true)
    expect(still.shown?.failure?.type).toBe('approval_required')
    expect([effects, (await requests()).map(({ status }) => status)]).toEqual([[], ['pending']])
  })

  it.each(['before anybody decides', 'after the approval'])(
    'withdraws by the no of its user, %s: S17',
    async (when) => {
      const { place, effects, requests, approve } = await startWorld()
      const paused = await (await connect(place)).call('trip.book', { hotel: 'Ritz' })
      const id = (await requests())[0]!.approval_request_id
      if (when === 'after the approval') await approve(id)
      await (await connect(place)).resume(paused.state, false)
      expect(effects).toEqual([])
      const status = when === 'after the approval' ? 'approved' : 'withdrawn'
      expect((await requests()).map((each) => each.status)).toEqual([status])
      const again = await (await connect(place)).call('trip.book', { hotel: 'Ritz' })
      expect(again).toMatchObject({ paused: true })
      expect(effects).toEqual([])
    },
  )

  it('is told what was decided: a denial holds', async () => {
    const { place, requests, deny, effects } = await startWorld()
    const agent = await connect(place)
    const paused = await agent.call('trip.book', { hotel: 'Ritz' })
    await deny((await requests())[0]!.approval_request_id, 'Too dear.')
    const denied = await agent.resume(paused.state, true)
    const told = { type: 'approval_denied', detail: 'Denied by a person: Too dear.', retry: false }
    expect(denied.shown?.failure).toMatchObject(told)
    expect((await agent.call('trip.book', { hotel: 'Ritz' })).shown?.failure).toMatchObject(told)
    expect(effects).toEqual([])
  })

  it('does not pause where a condition needs no approval, and calls once', async () => {
    const { place, effects, requests } = await startWorld()
    const agent = await connect(place)
    expect((await agent.call('refund', { amount: 50 })).shown).toEqual({ booked: 'refund of 50' })
    expect([effects, await requests()]).toEqual([[{ amount: 50 }], []])
    expect(await agent.call('refund', { amount: 150 })).toMatchObject({ paused: true })
    expect(effects).toHaveLength(1)
  })

  it('waits for the decision, where it is asked to', async () => {
    const { place, requests, approve, effects } = await startWorld()
    const agent = await connect({ ...place, approval: 'wait' })
    const called = agent.call('trip.book', { hotel: 'Ritz' })
    await expect.poll(async () => (await requests()).length).toBe(1)
    await approve((await requests())[0]!.approval_request_id)
    expect((await called).shown).toEqual({ booked: 'Ritz' })
    expect(effects).toHaveLength(1)
  })

  it('has one effect for one id of a call, however often it is made', async () => {
    const { place, effects } = await startWorld()
    const one = await (await connect(place)).call('note', { text: 'x' }, { id: 'call_1' })
    const again = await (await connect(place)).call('note', { text: 'x' }, { id: 'call_1' })
    expect([one.shown, again.shown]).toEqual([{ noted: 'x' }, { noted: 'x' }])
    expect(effects).toHaveLength(1)
    await (await connect(place)).call('note', { text: 'y' }, { id: 'call_1' })
    expect(effects).toHaveLength(2)
  })

  it('N18: has no way to a tool that it was not given, and no place for a token', async () => {
    const { place, trail, token } = await startWorld()
    const agent = await connect(place)
    const turn = await agent.call('secret', { token }).catch(String)
    expect(JSON.stringify(turn)).not.toContain('"success":true')
    expect(await trail()).toEqual([])
    const refused = await agent.call('search', { city: 'Faro', token: 'tok' })
    expect(refused.shown?.failure?.type).toBe('invalid_parameters')
    expect(JSON.stringify(place.tools)).not.toMatch(/token|bearer|credential/iu)
  })
})
