import { describe, expect, it } from 'vitest'
import { asks } from './requests.js'
import { at, failure, ME, NOTHING, NOW, openPage, type Answers } from './screen.js'

const PENDING = 'GET /-/console/api/approvals?status=pending&limit=200'
const OVERVIEW = 'GET /-/console/api/overview?hours=24'
const OF = {
  since: NOW - 86_400_000,
  until: NOW,
  is_whole: true,
  bars: [
    { done: 2, failures: { rate_limited: 1, scope_insufficient: 1 } },
    { done: 4, failures: { scope_insufficient: 2, internal_error: 1, approval_required: 5 } },
  ],
  spent: [{ currency: 'EUR', amount: 12.5 }, { currency: 'JPY', amount: 300 }, { currency: 'USD', amount: 1 }],
  decided_in_ms: [1000, 60_000, 7_200_000],
} // prettier-ignore

const health = (alarms: readonly string[]): Answers => ({ 'GET /-/ready': { status: 'ready', alarms } })
const signed: Answers = { 'GET /svc/checkpoints?limit=1': { checkpoints: [{ created_at: at(-90) }] } }

describe('the overview', () => {
  it('says what waits, what was called and refused, what was spent, and when the trail was signed', async () => {
    const requests = [1, 2, 3, 4].map((n) => asks('hold', { approval_request_id: `apr_${n}`, expires_at: at(n * 60) }))
    const screen = await openPage('/overview', { [PENDING]: { approval_requests: requests }, [OVERVIEW]: OF, ...health(['trail_altered', 'disk_full']), ...signed }) // prettier-ignore
    expect(screen.lines()).toMatchInlineSnapshot(`
      [
        "4 requests wait, 2 alarms are raised",
        "Travel, calls in your name, since 28 Feb, 21:00 (12:00 UTC)",
        "{role=group aria-label=Time}[{href=/-/console/overview?hours=1}1 h][{href=/-/console/overview aria-current=true}24 h][{href=/-/console/overview?hours=168}7 days]",
        "Waiting",
        "4",
        "for your decision",
        "Time to decide",
        "1 min",
        "median of 3",
        "Spent",
        "12.50 EUR",
        "and 300 JPY, and 1.00 USD",
        "Trail",
        "1 min",
        "since the last signature",
        "16 calls, 4 refused, 1 failed",
        "{role=img aria-label=From 28 Feb, 21:00 (12:00 UTC) until now: 16 calls, at most 12 in one of 2 parts of the time; 4 refused, 1 failed.}{x=30 y=144}0{x=30 y=24}12{x=30 y=204}0{x=30 y=168}3",
        "{width=324 x=43 y=176 height=24 no}",
        "{width=324 x=373 y=176 height=24 no}",
        "{width=324 x=373 y=164 height=12 bad}",
        "{x=40 y=221}28 Feb, 21:00{x=700 y=221}now",
        "{width=12 height=12 this}",
        "Calls",
        "{width=10 x=1 y=1 height=10 no}",
        "Refused: a rule said no",
        "{width=12 height=12 bad}",
        "Failed: something broke",
        "[{href=/-/console/activity?outcome=refused}View refused calls][{href=/-/console/activity?outcome=failed}View failed calls]",
        "Refused calls by reason",
        "Reason | Share | Calls |",
        "the token lacks a required scope |",
        "{role=img aria-label=75 %}",
        "{width=75 height=10 spent}",
        "| 3 |",
        "too many requests |",
        "{role=img aria-label=25 %}",
        "{width=25 height=10 spent}",
        "| 1 |",
        "{aria-label=What needs a look}",
        "Alarms",
        "{data-is=failed}(failed)Alarm: trail altered",
        "Audit entries in the database are not what was recorded.",
        "Verify the audit trail, restore the database, then restart. svc audit verify <export> --jwks <keys>",
        "{data-is=failed}(failed)Alarm: disk full",
        "The service raises disk_full.",
        "See its log. svc doctor --production",
        "Next requests",
        "[{href=/-/console/approvals/apr_1}Hold seat]",
        "1 min left",
        "[{href=/-/console/approvals/apr_2}Hold seat]",
        "2 min left",
        "[{href=/-/console/approvals/apr_3}Hold seat]",
        "3 min left",
      ]
    `)
    const paths = screen.window.document.querySelectorAll('.plot path')
    expect([...paths].map((path) => path.getAttribute('d'))).toMatchInlineSnapshot(`
      [
        "M40 140H700M40 20H700M40 200H700M40 164H700",
        "M205.0 140 L205.0 100.0 L535.0 20.0 L535.0 140z",
        "M205.0 100.0 L535.0 20.0",
      ]
    `)
  })

  it('says that nothing is known, and nothing needs anybody', async () => {
    const person = { ...ME.person, roles: ['auditor'] }
    const empty = { ...OF, is_whole: false, bars: [{ done: 0, failures: {} }], spent: [], decided_in_ms: [] }
    const screen = await openPage('/overview', { 'GET /-/console/api/me': { ...ME, person }, [OVERVIEW]: empty, ...health([]), 'GET /svc/checkpoints?limit=1': { checkpoints: [] } }) // prettier-ignore
    expect(screen.lines()).toMatchInlineSnapshot(`
      [
        "Nothing needs you",
        "Travel, all calls, since 28 Feb, 21:00 (12:00 UTC), counted from the newest 10,000 entries",
        "{role=group aria-label=Time}[{href=/-/console/overview?hours=1}1 h][{href=/-/console/overview aria-current=true}24 h][{href=/-/console/overview?hours=168}7 days]",
        "Waiting",
        "0",
        "for your decision",
        "Time to decide",
        "–",
        "no decisions",
        "Spent",
        "0",
        "Trail",
        "–",
        "not signed yet",
        "0 calls, 0 refused, 0 failed",
        "[{href=/-/console/activity?outcome=refused}View refused calls][{href=/-/console/activity?outcome=failed}View failed calls]",
        "{aria-label=What needs a look}",
        "Alarms",
        "(done)No alarms",
      ]
    `)
  })

  it('says of one what it says of several, and what could not be read', async () => {
    const one = { ...OF, bars: [{ done: 1, failures: {} }] }
    const screen = await openPage('/overview', { [PENDING]: { approval_requests: [asks('hold')] }, [OVERVIEW]: one, ...health(['disk_full']) }) // prettier-ignore
    expect(screen.lines('h1')).toEqual(['1 request waits, 1 alarm is raised'])
    expect(screen.lines('.panel')[0]).toBe('1 call, 0 refused, 0 failed')
    const other = await openPage('/overview', { [OVERVIEW]: failure('rate_limited', 'Too often.'), 'GET /-/ready': NOTHING }) // prettier-ignore
    expect(other.lines()).toMatchInlineSnapshot(`
      [
        "Nothing needs you",
        "Travel, calls in your name,",
        "{role=group aria-label=Time}[{href=/-/console/overview?hours=1}1 h][{href=/-/console/overview aria-current=true}24 h][{href=/-/console/overview?hours=168}7 days]",
        "{data-is=failed}(failed)The trail could not be counted",
        "Too often.",
        "{aria-label=What needs a look}",
        "Alarms",
        "The service health could not be loaded.",
      ]
    `)
  })

  it.each([
    ['?hours=1', '1', ['1 h']],
    ['?hours=168', '168', ['7 days']],
    ['?hours=toString', '24', ['24 h']],
    ['', '24', ['24 h']],
  ])('%s counts %s hours', async (search, hours, current) => {
    const screen = await openPage(`/overview${search}`, { 'GET /-/console/api/overview?*': OF })
    expect(screen.sent.some(({ request }) => request.endsWith(`overview?hours=${hours}`))).toBe(true)
    expect([...screen.window.document.querySelectorAll('.seg [aria-current]')].map((each) => each.textContent)).toEqual(current) // prettier-ignore
  })

  it.each([
    [[1000], '1 s', 'median of 1'],
    [[1000, 60_000], '1 s', 'median of 2'],
    [[1000, 60_000, 7_200_000], '1 min', 'median of 3'],
    [[1000, 60_000, 7_200_000, 7_200_000], '1 min', 'median of 4'],
    [[], '–', 'no decisions'],
  ])('of decisions after %j ms says %s', async (decided_in_ms, figure, about) => {
    const screen = await openPage('/overview', { [OVERVIEW]: { ...OF, decided_in_ms } })
    const tiles = screen.lines('.tiles')
    expect(tiles.slice(tiles.indexOf('Time to decide') + 1).slice(0, 2)).toEqual([figure, about])
  })

  it('counts eight reasons, those of most calls first', async () => {
    const types = ['rate_limited', 'scope_insufficient', 'token_expired', 'token_revoked', 'invalid_token', 'purpose_mismatch', 'budget_exceeded', 'invalid_parameters', 'binding_stale'] // prettier-ignore
    const failures = Object.fromEntries(types.map((type, index) => [type, index + 1]))
    const screen = await openPage('/overview', { [OVERVIEW]: { ...OF, bars: [{ done: 0, failures }] } })
    expect(screen.lines('.table').filter((line) => line.includes('|')).map((line) => line.split(' | ')[0])).toMatchInlineSnapshot(`
      [
        "Reason",
        "a binding is not valid any more |",
        "| 9 |",
        "the request is not valid |",
        "| 8 |",
        "the cost exceeds the budget |",
        "| 7 |",
        "the token is bound to another purpose |",
        "| 6 |",
        "the delegation token is not valid |",
        "| 5 |",
        "the delegation token was revoked |",
        "| 4 |",
        "the delegation token has expired |",
        "| 3 |",
        "the token lacks a required scope |",
        "| 2 |",
      ]
    `) // prettier-ignore
  })
})
