import { expect } from 'vitest'
import type { Turn } from '../agents/agent.js'
import { ask, because, failureOf, type Scenario, type Stage } from '../scenario.js'
import { MCP } from '../surfaces.js'

const RITZ = { hotel: 'Ritz' }
const NO_PAGE = because(
  'A client of MCP that shows no page has no word for no. One that does is tested by S3 (test/surfaces/mcp.test.ts).',
  MCP,
)

/** How a caller ends that acts on `retry`, `action` and the first sentence alone. */
type End = 'done' | 'waits' | 'revises' | 'stops' | 'asks a person'

function endOf(turn: Turn): End {
  if (turn.paused === true) return 'waits'
  if (turn.shown?.failure === undefined) return 'done'
  const { retry, resolution } = failureOf(turn)
  const { action } = resolution
  if (retry) return action === 'wait_and_retry' ? 'waits' : 'asks a person'
  if (action === 'revise_parameters') return 'revises'
  return action === 'request_approval' ? 'asks a person' : 'stops'
}

interface Decided {
  readonly happens: (stage: Stage, id: string) => Promise<unknown> | void
  /** Ends that are right: a client that resumes says that nobody decided; the same call opens a new request. */
  readonly ends: readonly End[]
  readonly says?: RegExp
}

const HOUR_MS = 3_600_000

/** What happens to a request -> how its caller ends. */
const DECISIONS: { readonly [state: string]: Decided } = {
  open: { happens: () => undefined, ends: ['waits'] },
  approved: { happens: ({ approve }, id) => approve(id), ends: ['done'] },
  denied: { happens: ({ deny }, id) => deny(id, 'Too dear'), ends: ['stops'], says: /^Denied by a person: Too dear\.$/u },
  'sent back': { happens: ({ sendBack }, id) => sendBack(id, 'Which room?'), ends: ['revises'], says: /^Sent back by a person with a question: Which room\?$/u },
  expired: { happens: ({ later }) => later(HOUR_MS + 1), ends: ['waits', 'asks a person'] },
  withdrawn: { happens: ({ withdraw }, id) => withdraw(id), ends: ['waits', 'asks a person'] },
  'approved, and its grant revoked': { happens: async ({ approve, revokeGrant }, id) => revokeGrant((await approve(id)).body['grant_id'] as never), ends: ['waits', 'asks a person'] },
} // prettier-ignore

const decided: readonly Scenario[] = Object.entries(DECISIONS).map(([state, { happens, ends, says }]) => ({
  name: `a caller that reads retry, action and the first sentence ends rightly where its request is ${state}`,
  play: async (stage) => {
    const { turn, request } = await ask(stage, 'trip.book', RITZ)
    await happens(stage, request.approval_request_id)
    const resumed = await (await stage.another()).resume(turn.state, true)
    expect(ends).toContain(endOf(resumed))
    if (says !== undefined) expect(failureOf(resumed).detail).toMatch(says)
    expect(stage.effects).toEqual(ends.includes('done') ? [RITZ] : [])
  },
}))

/** What waits for a person. */
export const approvals: readonly Scenario[] = [
  ...decided,
  {
    name: 'a call that needs an approval asks for it, and has no effect',
    play: async (stage) => void (await ask(stage, 'trip.book', RITZ)),
  },
  {
    name: 'one decision, one effect: an approved call goes on after a restart',
    play: async (stage) => {
      const { turn, request } = await ask(stage, 'trip.book', RITZ)
      await stage.approve(request.approval_request_id)
      const done = await (await stage.another()).resume(turn.state, true)
      expect(done.shown).toEqual({ booked: 'Ritz' })
      expect([stage.effects, (await stage.requests()).length]).toEqual([[RITZ], 1])
    },
  },
  {
    name: 'resumed twice, it has one effect',
    play: async (stage) => {
      const { turn, request } = await ask(stage, 'trip.book', RITZ)
      await stage.approve(request.approval_request_id)
      await stage.agent.resume(turn.state, true)
      await (await stage.another()).resume(turn.state, true).catch(() => undefined)
      expect(stage.effects).toEqual([RITZ])
    },
  },
  {
    name: 'resumed twice at once, it has one effect',
    play: async (stage) => {
      const { turn, request } = await ask(stage, 'trip.book', RITZ)
      await stage.approve(request.approval_request_id)
      const both = [await stage.another(), await stage.another()].map((each) => each.resume(turn.state, true))
      await Promise.allSettled(both)
      expect(stage.effects).toEqual([RITZ])
    },
  },
  {
    name: 'going on before anybody has decided grants nothing',
    play: async (stage) => {
      const { turn } = await ask(stage, 'trip.book', RITZ)
      const still = await stage.agent.resume(turn.state, true)
      expect(failureOf(still).type).toBe('approval_required')
      expect([stage.effects, (await stage.requests()).map(({ status }) => status)]).toEqual([[], ['pending']])
    },
  },
  {
    name: 'a denial is shown with its reason',
    play: async (stage) => {
      const { turn, request } = await ask(stage, 'trip.book', RITZ)
      await stage.deny(request.approval_request_id, 'Too dear.')
      const failure = failureOf(await (await stage.another()).resume(turn.state, true))
      expect([failure.type, failure.detail]).toEqual(['approval_denied', 'Denied by a person: Too dear.'])
      expect(stage.effects).toEqual([])
    },
  },
  {
    name: 'a denial holds for the same call, and nobody is asked again',
    play: async (stage) => {
      const { request } = await ask(stage, 'trip.book', RITZ)
      await stage.deny(request.approval_request_id, 'No.')
      expect(failureOf(await (await stage.another()).call('trip.book', RITZ)).type).toBe('approval_denied')
      expect(await stage.requests()).toHaveLength(1)
    },
  },
  {
    name: 'the no of the user withdraws the request',
    notOn: NO_PAGE,
    play: async (stage) => {
      const { turn } = await ask(stage, 'trip.book', RITZ)
      await (await stage.another()).resume(turn.state, false)
      expect([stage.effects, (await stage.requests()).map(({ status }) => status)]).toEqual([[], ['withdrawn']])
    },
  },
  {
    name: 'the no of the user ends a grant that is not spent',
    notOn: NO_PAGE,
    play: async (stage) => {
      const { turn, request } = await ask(stage, 'trip.book', RITZ)
      await stage.approve(request.approval_request_id)
      await (await stage.another()).resume(turn.state, false)
      const again = await (await stage.another()).call('trip.book', RITZ)
      expect([again.paused ?? failureOf(again).type === 'approval_required', stage.effects]).toEqual([true, []])
    },
  },
  {
    name: 'an approval is for the very inputs that were shown',
    play: async (stage) => {
      const { request } = await ask(stage, 'trip.book', RITZ)
      await stage.approve(request.approval_request_id)
      await ask(stage, 'trip.book', { hotel: 'Savoy' })
      expect(await stage.requests()).toHaveLength(2)
    },
  },
  {
    name: 'an approval is for the agent that asked',
    play: async (stage) => {
      const { request } = await ask(stage, 'trip.book', RITZ)
      await stage.approve(request.approval_request_id)
      const { token } = await stage.delegate({ subject: 'agent:other' })
      const other = await (await stage.another({ token })).call('trip.book', RITZ)
      expect(other.paused ?? failureOf(other).type === 'approval_required').toBe(true)
      expect(stage.effects).toEqual([])
    },
  },
  {
    name: 'an agent cannot approve',
    play: async (stage) => {
      const { turn, request } = await ask(stage, 'trip.book', RITZ)
      const { status } = await stage.fixture.post('/svc/approval_grants', stage.token, { approval_request_id: request.approval_request_id }) // prettier-ignore
      expect(status).toBe(403)
      expect(failureOf(await stage.agent.resume(turn.state, true)).type).toBe('approval_required')
    },
  },
  {
    name: 'below the condition nobody is asked',
    play: async ({ agent, effects, requests }) => {
      expect((await agent.call('refund', { amount: 100 })).shown).toEqual({ booked: 'refund of 100' })
      expect([effects, await requests()]).toEqual([[{ amount: 100 }], []])
    },
  },
  {
    name: 'above the condition somebody is asked',
    play: async (stage) => {
      const { turn, request } = await ask(stage, 'refund', { amount: 100.01 })
      await stage.approve(request.approval_request_id)
      expect((await (await stage.another()).resume(turn.state, true)).shown).toEqual({ booked: 'refund of 100.01' })
    },
  },
  {
    name: 'a token that was revoked meanwhile goes on with nothing',
    play: async (stage) => {
      const { turn, request } = await ask(stage, 'trip.book', RITZ)
      await stage.approve(request.approval_request_id)
      await stage.revoke(stage.token_id)
      const resumed = stage.another().then((each) => each.resume(turn.state, true))
      await resumed.catch(() => undefined)
      expect(stage.effects).toEqual([])
    },
  },
]
