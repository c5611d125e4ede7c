/** Whoever has gone on to something else is shown nothing of what comes late, and nothing is asked for them any more. */
import { describe, expect, it } from 'vitest'
import { entry } from './entries.js'
import { asks } from './requests.js'
import { at, NOTHING, openPage } from './screen.js'

const API = 'GET /-/console/api'
const PENDING = `${API}/approvals?status=pending&limit=200`

/** An answer that comes when a test says so. */
function later(value: object) {
  let come = (): void => undefined
  const answer = new Promise<Response>((resolve) => (come = () => resolve(Response.json(value))))
  return { answer: () => answer, come: () => come() }
}

const HOLD = asks('hold', { approval_request_id: 'apr_hold', preview: { summary: 'Hold 1A' } })
const SAME = asks('hold', { approval_request_id: 'apr_same', preview: { summary: 'Hold 1B' }, expires_at: at(900) })
const questions = (screen: Awaited<ReturnType<typeof openPage>>, about: string): number =>
  screen.sent.filter(({ request }) => request.includes(about)).length

describe('the inbox', () => {
  it('keeps the list that was read after a decision, though an older one comes after it, and goes on once', async () => {
    const screen = await openPage('/', { [PENDING]: { approval_requests: [HOLD, SAME] } })
    const old = later({ approval_requests: [HOLD, SAME] })
    screen.answer({ [PENDING]: old.answer, 'POST /-/console/api/approvals/apr_hold/approve': {} })
    await screen.pass(2000)
    screen.answer({ [PENDING]: { approval_requests: [SAME] } })
    await screen.click('Select: Hold 1A')
    await screen.click('Approve 1')
    await screen.pass(400)
    await screen.click('Approve 1 Enter')
    old.come()
    await screen.pass()
    expect(screen.lines('h1')).toEqual(['1 request waiting'])
    const before = questions(screen, 'status=pending')
    await screen.pass(20_000)
    expect(questions(screen, 'status=pending') - before).toBe(10)
  })
})

describe('the page of a request', () => {
  const REQUEST = `${API}/approvals/apr_hold`

  it('that was left asks for its decision no more', async () => {
    const decision = later(HOLD)
    const screen = await openPage('/approvals/apr_hold', { [REQUEST]: HOLD, [`${REQUEST}?wait=10`]: decision.answer })
    expect(questions(screen, '/approvals/apr_hold')).toBe(2)
    await screen.click('‹ All approvals')
    decision.come()
    await screen.pass(5000)
    expect(questions(screen, '/approvals/apr_hold')).toBe(2)
  })

  it('that was left before anybody answered is not tried again', async () => {
    const screen = await openPage('/approvals/apr_hold', { [REQUEST]: NOTHING })
    await screen.click('‹ All approvals')
    await screen.pass(5000)
    expect(questions(screen, '/approvals/apr_hold')).toBe(1)
  })
})

describe('the page of a call', () => {
  const CALL = { [`${API}/trail?invocation_id=inv-000000000009&limit=10`]: { entries: [entry(9)] } }
  const CHECKPOINTS = 'GET /svc/checkpoints?limit=1'
  const unsigned = { checkpoints: [{ checkpoint_id: 'ckp_1', entry_count: 3, sequence: 1, created_at: at(0), merkle_root: '', signature: '' }] } // prettier-ignore

  it('that was left looks for no checkpoint any more', async () => {
    const screen = await openPage('/activity/inv-000000000009', { ...CALL, [CHECKPOINTS]: unsigned })
    await screen.click('‹ Activity')
    await screen.pass(5000)
    expect(questions(screen, 'checkpoints')).toBe(1)
  })

  it('that was left while one was looked for neither', async () => {
    const checkpoint = later(unsigned)
    const screen = await openPage('/activity/inv-000000000009', { ...CALL, [CHECKPOINTS]: checkpoint.answer })
    await screen.click('‹ Activity')
    checkpoint.come()
    await screen.pass(5000)
    expect(questions(screen, 'checkpoints')).toBe(1)
  })
})

describe('the list of activity', () => {
  it('shows what the filters say now, though what they said before is answered after it', async () => {
    const old = later({ entries: [entry(1), entry(2)] })
    const refused = { entries: [entry(3, { success: false, failure_type: 'rate_limited' })] }
    const screen = await openPage('/activity', {
      [`${API}/trail?*`]: (_: never, query: string) => (query.includes('success=false') ? refused : old.answer()),
    })
    await screen.event('from')
    await screen.click('Refused')
    await screen.event('from')
    expect(screen.lines('tbody')).toHaveLength(1)
    old.come()
    await screen.pass()
    expect(screen.lines('tbody')).toHaveLength(1)
  })

  it('shows what it could not read until it could', async () => {
    const screen = await openPage('/activity', { [`${API}/trail?*`]: NOTHING })
    await screen.event('from')
    expect(screen.lines('.notice')[0]).toBe('{data-is=failed}(failed)The trail could not be read')
    screen.answer({ [`${API}/trail?*`]: { entries: [entry(1)] } })
    await screen.click('All', {})
    await screen.click('Pause')
    await screen.click('Go on')
    await screen.event('from')
    expect([screen.lines('.notice'), screen.lines('tbody').length]).toEqual([[], 1])
  })
})

describe('the tokens', () => {
  const token = (token_id: string, state: 'live' | 'revoked') => ({ token_id, root_principal: 'human:ana', subject: `agent:${token_id}`, scope: ['a'], depth: 0, state, issued_at: at(-9), expires_at: at(9) }) // prettier-ignore

  it('are those of the state that is shown now, though those of the one before come after them', async () => {
    const live = later({ tokens: [token('living', 'live')] })
    const screen = await openPage('/tokens', {
      [`${API}/tokens?*`]: (_: never, query: string) =>
        query.includes('state=live') ? live.answer() : { tokens: [token('ended', 'revoked')] },
    })
    await screen.click('Revoked')
    live.come()
    await screen.pass()
    expect(screen.lines('.tree h2 bdi')).toEqual(['agent:ended'])
  })
})

describe('the overview', () => {
  const counted = (calls: number) => ({ since: 0, until: 1, is_whole: true, bars: [{ done: calls, failures: {} }], spent: [], decided_in_ms: [] }) // prettier-ignore

  it('counts the time that is chosen now, though the one before is counted after it', async () => {
    const day = later(counted(24))
    const screen = await openPage('/overview', {
      [`${API}/overview?hours=24`]: day.answer,
      [`${API}/overview?hours=1`]: counted(1),
    })
    await screen.click('1 h')
    day.come()
    await screen.pass()
    expect(screen.lines('.split h2')[0]).toBe('1 call, 0 refused, 0 failed')
  })

  it('says no more that it could not be counted once it was', async () => {
    const screen = await openPage('/overview', { [`${API}/overview?hours=1`]: counted(1) })
    expect(screen.lines('.notice')[0]).toBe('{data-is=failed}(failed)The trail could not be counted')
    await screen.click('1 h')
    expect(screen.lines('.notice')).toEqual([])
  })
})
