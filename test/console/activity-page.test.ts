import { describe, expect, it } from 'vitest'
import { entry } from './entries.js'
import { at, failure, ME, NOTHING, openPage, type Answers } from './screen.js'

const API = 'GET /-/console/api'
const AUDITOR: Answers = { [`${API}/me`]: { ...ME, person: { ...ME.person, roles: ['auditor'] } } }
/** Time goes on while a page is read: what is asked is compared without it. */
const asked = (screen: Awaited<ReturnType<typeof openPage>>) =>
  screen.sent.flatMap(({ request }) => request.includes('/trail?') ? [request.replace(/since=[^&]+/u, 'since=T').replace(`${API}/trail?`, '')] : []) // prettier-ignore

/** The page, once the stream has begun. */
async function opened(path: string, given: Answers = {}) {
  const screen = await openPage(path, given)
  await screen.event('from')
  return screen
}
const page = (entries: readonly object[], next_cursor?: string) => ({ entries, ...(next_cursor !== undefined && { next_cursor }) }) // prettier-ignore
/** A trail for whatever is asked. */
const trailOf = (answer: (query: URLSearchParams) => object): Answers => ({
  [`${API}/trail?*`]: (_: never, query: string) => answer(new URLSearchParams(query)),
})

describe('the list of activity', () => {
  it('has what was done, by whom, for whom, and how each entry ended', async () => {
    const rows = [
      entry(1, { cost_actual: { currency: 'EUR', amount: 3 }, task_id: 'trip-7' }),
      entry(2, { success: false, failure_type: 'scope_insufficient', root_principal: 'agent:desk' }),
      entry(3, { success: false, failure_type: 'approval_required', approval_request_id: 'apr_1' }),
      entry(4, { success: false, failure_type: 'outcome_unknown' }),
      entry(5, { success: false, failure_type: 'internal_error' }),
      entry(6, { success: false, failure_type: null, capability: null }),
      entry(7, { success: false, failure_type: 'sold_out' }),
      entry(8, { entry_type: 'token_issued', invocation_id: null, capability: null, issued: { subject: 'agent:desk', scope: ['a', 'b'] } as never }),
      entry(9, { entry_type: 'token_revoked', invocation_id: null, capability: null, operated: undefined as never }),
      entry(10, { entry_type: 'approval_requested', approval_request_id: 'apr/1', approval: { parameters_digest: '' } }),
      entry(11, { entry_type: 'approval_given', approval_request_id: 'apr_1', approval: { parameters_digest: '', reason: 'Fine' } as never }),
      entry(12, { entry_type: 'approval_granted', approval_request_id: 'apr_1', approval: { parameters_digest: '', grant_type: 'session_bound' } }),
      entry(13, { entry_type: 'approval_denied', approval_request_id: 'apr_1' }),
      entry(14, { entry_type: 'approval_withdrawn', approval_request_id: 'apr_1' }),
      entry(15, { entry_type: 'grant_revoked', approval_request_id: 'apr_1' }),
      entry(16, { entry_type: 'integrity_failure', invocation_id: null, capability: null, detail: 'Entry 9 was altered.', success: false }),
      entry(17, { entry_type: 'erasure', invocation_id: null, capability: null, erased: { count: 4 } as never }),
      entry(18, { entry_type: 'refusals', invocation_id: null, capability: null, refused: { count: 9, by_type: { invalid_token: 8, rate_limited: 1 } } as never, success: false }),
      entry(19, { entry_type: 'operator_action', invocation_id: null, capability: null, operated: { name: 'pause_capability', target: { capability: 'book' }, reason: 'Broken' } as never }),
      entry(8640),
    ] // prettier-ignore
    const screen = await opened('/activity', { ...AUDITOR, ...trailOf(() => page(rows)) })
    expect(screen.lines()).toMatchInlineSnapshot(`
      [
        "Activity",
        "Every call and decision, newest first, as it happens. The address holds the filters.",
        "{role=status}Follows the trail",
        "{aria-pressed=false}Pause",
        "Export…",
        "[{href=/-/console/api/trail/export?format=ndjson&since=2026-02-28T12%3A00%3A00.000Z download=true}NDJSON, entry by entry]",
        "[{href=/-/console/api/trail/export?format=csv&since=2026-02-28T12%3A00%3A00.000Z download=true}CSV, for a table]",
        "{aria-label=Filters}",
        "Outcome",
        "{role=group}",
        "{type=button aria-pressed=true}All",
        "{type=button aria-pressed=false}Refused",
        "{type=button aria-pressed=false}Failed",
        "{type=button aria-pressed=false}Waiting",
        "When",
        "{:24h}",
        "Last hour",
        "Last 24 hours",
        "Last 7 days",
        "All time",
        "Capability",
        "{type=search placeholder=Any maxlength=256}",
        "Who",
        "{type=search placeholder=agent:desk maxlength=256}",
        "Task, call or request",
        "{type=search placeholder=Paste an id maxlength=256}",
        "{role=table}",
        "Time | What | Who | Outcome | Cost | Task |",
        "{datetime=2026-03-01T11:59:50.000Z}20:59:5011:59:50 UTC | [{href=/-/console/activity/inv-000000000001}book] | agent:deskfor ana | {data-is=done}(done)Done | 3.00 EUR | trip-7 |",
        "{datetime=2026-03-01T11:59:40.000Z}20:59:4011:59:40 UTC | [{href=/-/console/activity/inv-000000000002}book]scope_insufficient | agent:desk | {data-is=refused}(refused)Refused | | |",
        "{datetime=2026-03-01T11:59:30.000Z}20:59:3011:59:30 UTC | [{href=/-/console/activity/inv-000000000003}book]approval_required | agent:deskfor ana | {data-is=waiting}(waiting)Waiting | | |",
        "{datetime=2026-03-01T11:59:20.000Z}20:59:2011:59:20 UTC | [{href=/-/console/activity/inv-000000000004}book]outcome_unknown | agent:deskfor ana | {data-is=failed}(failed)Outcome unknown | | |",
        "{datetime=2026-03-01T11:59:10.000Z}20:59:1011:59:10 UTC | [{href=/-/console/activity/inv-000000000005}book]internal_error | agent:deskfor ana | {data-is=failed}(failed)Failed | | |",
        "{datetime=2026-03-01T11:59:00.000Z}20:59:0011:59:00 UTC | [{href=/-/console/activity/inv-000000000006}A call] | agent:deskfor ana | {data-is=failed}(failed)Failed | | |",
        "{datetime=2026-03-01T11:58:50.000Z}20:58:5011:58:50 UTC | [{href=/-/console/activity/inv-000000000007}book]sold_out | agent:deskfor ana | {data-is=failed}(failed)Failed | | |",
        "{datetime=2026-03-01T11:58:40.000Z}20:58:4011:58:40 UTC | Token issuedto agent:desk: a, b | agent:deskfor ana | {data-is=done}(done)Issued | | |",
        "{datetime=2026-03-01T11:58:30.000Z}20:58:3011:58:30 UTC | Token revoked | agent:deskfor ana | {data-is=neutral}(refused)Revoked | | |",
        "{datetime=2026-03-01T11:58:20.000Z}20:58:2011:58:20 UTC | [{href=/-/console/approvals/apr%2F1}Approval requested]book | agent:deskfor ana | {data-is=waiting}(waiting)Waiting | | |",
        "{datetime=2026-03-01T11:58:10.000Z}20:58:1011:58:10 UTC | [{href=/-/console/approvals/apr_1}Approval]book · “Fine” | agent:deskfor ana | {data-is=waiting}(waiting)One of several | | |",
        "{datetime=2026-03-01T11:58:00.000Z}20:58:0011:58:00 UTC | [{href=/-/console/approvals/apr_1}Approval]book · for a session | agent:deskfor ana | {data-is=approve}(done)Approved | | |",
        "{datetime=2026-03-01T11:57:50.000Z}20:57:5011:57:50 UTC | [{href=/-/console/approvals/apr_1}Approval]book | agent:deskfor ana | {data-is=denied}(denied)Denied | | |",
        "{datetime=2026-03-01T11:57:40.000Z}20:57:4011:57:40 UTC | [{href=/-/console/approvals/apr_1}Approval withdrawn]book | agent:deskfor ana | {data-is=neutral}(undo)Withdrawn | | |",
        "{datetime=2026-03-01T11:57:30.000Z}20:57:3011:57:30 UTC | [{href=/-/console/approvals/apr_1}Approval ended]book | agent:deskfor ana | {data-is=neutral}(refused)Revoked | | |",
        "{datetime=2026-03-01T11:57:20.000Z}20:57:2011:57:20 UTC | The trail was alteredEntry 9 was altered. | agent:deskfor ana | {data-is=failed}(failed)Alarm | | |",
        "{datetime=2026-03-01T11:57:10.000Z}20:57:1011:57:10 UTC | Entries erased4 of them | agent:deskfor ana | {data-is=neutral}(expired)Erased | | |",
        "{datetime=2026-03-01T11:57:00.000Z}20:57:0011:57:00 UTC | Calls refused9 of invalid_token, rate_limited | agent:deskfor ana | {data-is=refused}(refused)Refused | | |",
        "{datetime=2026-03-01T11:56:50.000Z}20:56:5011:56:50 UTC | Operatorpause capability book · “Broken” | agent:deskfor ana | {data-is=done}(done)Done | | |",
        "{datetime=2026-02-28T12:00:00.000Z}28 Feb, 21:00:0012:00:00 UTC | [{href=/-/console/activity/inv-000000008640}book] | agent:deskfor ana | {data-is=done}(done)Done | | |",
        "20 entries shown",
      ]
    `)
  })

  it('asks only for what the filters say, and an export for the same', async () => {
    const screen = await opened(
      '/activity',
      trailOf(() => page([])),
    )
    expect(screen.lines()).toMatchInlineSnapshot(`
      [
        "Activity",
        "What was done in your name, newest first, as it happens. The address holds the filters.",
        "{role=status}Follows the trail",
        "{aria-pressed=false}Pause",
        "Export…",
        "[{href=/-/console/api/trail/export?format=ndjson&since=2026-02-28T12%3A00%3A00.000Z download=true}NDJSON, entry by entry]",
        "[{href=/-/console/api/trail/export?format=csv&since=2026-02-28T12%3A00%3A00.000Z download=true}CSV, for a table]",
        "{aria-label=Filters}",
        "Outcome",
        "{role=group}",
        "{type=button aria-pressed=true}All",
        "{type=button aria-pressed=false}Refused",
        "{type=button aria-pressed=false}Failed",
        "{type=button aria-pressed=false}Waiting",
        "When",
        "{:24h}",
        "Last hour",
        "Last 24 hours",
        "Last 7 days",
        "All time",
        "Capability",
        "{type=search placeholder=Any maxlength=256}",
        "Task, call or request",
        "{type=search placeholder=Paste an id maxlength=256}",
        "(activity)",
        "No activity in this period",
        "The first call will be here as it happens.",
      ]
    `)
    await screen.click('Refused')
    expect([screen.path(), screen.lines('.menu a')[0]]).toMatchInlineSnapshot(`
      [
        "/activity?outcome=refused",
        "[{href=/-/console/api/trail/export?format=ndjson&success=false&since=2026-02-28T12%3A00%3A00.000Z&outcome=refused download=true}NDJSON, entry by entry]",
      ]
    `)
    await screen.event('from')
    await screen.fill('When', 'all')
    await screen.event('from')
    await screen.fill('Capability', ' book ')
    await screen.leave('Capability')
    await screen.event('from')
    await screen.fill('Task, call or request', 'inv-1')
    await screen.leave('Task, call or request')
    await screen.event('from')
    expect([screen.path(), screen.lines('.menu a'), screen.lines('.empty')]).toMatchInlineSnapshot(`
      [
        "/activity?outcome=refused&when=all&capability=book&id=inv-1",
        [
          "[{href=/-/console/api/trail/export?format=ndjson&success=false&capability=book&invocation_id=inv-1&outcome=refused download=true}NDJSON, entry by entry]",
        ],
        [
          "(activity)",
          "No entry matches the filters",
          "Take one away, or look at a longer time.",
        ],
      ]
    `)
    expect(asked(screen)).toMatchInlineSnapshot(`
      [
        "since=T&limit=50",
        "success=false&since=T&limit=50",
        "success=false&limit=50",
        "success=false&capability=book&limit=50",
        "success=false&capability=book&invocation_id=inv-1&limit=50",
      ]
    `)
    expect(screen.streams.map(({ isClosed }) => isClosed)).toEqual([true, true, true, true, false])
    await screen.click('All')
    await screen.fill('Capability', '')
    await screen.leave('Capability')
    expect(screen.path()).toBe('/activity?when=all&id=inv-1')
  })

  it.each([
    ['?outcome=waiting&when=1h', 'since=T&limit=50', '1h'],
    ['?outcome=failed&when=7d&actor=agent:desk', 'success=false&since=T&actor=agent%3Adesk&limit=50', '7d'],
    ['?outcome=nonsense&when=toString&id=apr_1', 'since=T&approval_request_id=apr_1&limit=50', '24h'],
    ['?id=%20task-1', 'since=T&task_id=task-1&limit=50', '24h'],
  ])('%s asks for %s', async (search, query) => {
    const screen = await opened(
      `/activity${search}`,
      trailOf(() => page([])),
    )
    expect(asked(screen)).toEqual([query])
  })

  it.each([
    ['', ''],
    ['?outcome=refused', '&success=false&outcome=refused'],
    ['?outcome=failed', '&success=false&outcome=failed'],
    ['?outcome=waiting', '&outcome=waiting'],
    ['?id=inv-1&capability=book', '&capability=book&invocation_id=inv-1'],
  ])('%s is exported as the files that a page would show', async (search, query) => {
    const screen = await opened(`/activity${search}`, trailOf(() => page([]))) // prettier-ignore
    const hrefs = [...screen.window.document.querySelectorAll('.menu a')].map((each) => each.getAttribute('href') ?? '')
    expect(hrefs.map((href) => href.replace(/&since=[^&]+/u, ''))).toEqual([
      `/-/console/api/trail/export?format=ndjson${query}`,
      `/-/console/api/trail/export?format=csv${query}`,
    ])
  })

  it('asks for as long a time as is said', async () => {
    const sinceOf = async (when: string) => {
      const screen = await opened(
        `/activity?when=${when}`,
        trailOf(() => page([])),
      )
      const query = screen.sent.find(({ request }) => request.includes('/trail?'))!.request.split('?')[1]
      return Date.parse(at(0)) - Date.parse(new URLSearchParams(query).get('since')!)
    }
    expect([await sinceOf('1h'), await sinceOf('24h'), await sinceOf('7d')].map((ms) => Math.round(ms / 3_600_000))).toEqual([1, 24, 168]) // prettier-ignore
  })

  it('shows what matches, reads on while little does, and older ones when they are asked for', async () => {
    const failed = { success: false, failure_type: 'internal_error' }
    const refused = { success: false, failure_type: 'rate_limited' }
    let reads = 0
    const screen = await opened('/activity?outcome=failed', trailOf((query) => {
      reads += 1
      return page([entry(100 - reads, reads % 2 === 0 ? failed : refused)], query.get('cursor') === 'c8' ? undefined : `c${reads}`)
    })) // prettier-ignore
    expect([reads, screen.lines('tbody').length, screen.lines('.pager')]).toEqual([
      5,
      2,
      ['2 entries shown', 'Show older'],
    ])
    await screen.click('Show older')
    expect([reads, screen.lines('tbody').length, screen.lines('.pager')]).toEqual([9, 4, ['4 entries shown']])
    expect(asked(screen).slice(4, 6)).toEqual(['success=false&since=T&limit=50&cursor=c4', 'success=false&since=T&limit=50&cursor=c5']) // prettier-ignore
  })

  it('reads no further page once 25 match', async () => {
    let reads = 0
    const screen = await opened('/activity', trailOf(() => page([...Array(25).keys()].map((n) => entry(100 * (reads += 1) + n)), 'more'))) // prettier-ignore
    expect(screen.lines('tbody')).toHaveLength(25)
    expect(asked(screen)).toHaveLength(1)
  })

  it('says what comes as it comes, and shows it when it is asked for, each once', async () => {
    const screen = await opened('/activity?capability=book', { ...AUDITOR, ...trailOf(() => page([entry(1)])) }) // prettier-ignore
    await screen.event('entry', entry(1))
    expect(screen.lines('.fresh')).toEqual([])
    await screen.event('entry', entry(2))
    expect(screen.lines('.fresh')).toEqual(['Show 1 new entry'])
    await screen.event('entry', entry(3, { capability: 'hold' }))
    await screen.event('entry', entry(4))
    expect(screen.lines('.fresh')).toEqual(['Show 2 new entries'])
    await screen.click('Show 2 new')
    const times = screen.lines('tbody').map((line) => /inv-0+(\d)/u.exec(line)?.[1])
    expect([times, screen.lines('.fresh'), screen.lines('.pager')]).toEqual([['4', '2', '1'], [], ['3 entries shown']])
  })

  it('of what comes says only what every filter lets through', async () => {
    const screen = await opened('/activity?actor=agent:desk&capability=book&outcome=failed&id=task-1', { ...AUDITOR, ...trailOf(() => page([])) }) // prettier-ignore
    const wanted = { success: false, failure_type: 'internal_error', task_id: 'task-1' }
    for (const more of [{ actor_key: 'agent:mole' }, { capability: 'hold' }, { failure_type: 'rate_limited' }, { task_id: 'task-2' }])
      await screen.event('entry', entry(1, { ...wanted, ...more }))
    expect(screen.lines('.fresh')).toEqual([])
    await screen.event('entry', entry(2, wanted))
    expect(screen.lines('.fresh')).toEqual(['Show 1 new entry'])
    await screen.click('All')
    await screen.event('from')
    expect(screen.lines('.fresh')).toEqual([])
  }) // prettier-ignore

  it('is read once, however often the stream begins anew, and keeps the newest 1,000 of what has come', async () => {
    const screen = await opened('/activity', trailOf(() => page([]))) // prettier-ignore
    await screen.event('from')
    expect(asked(screen)).toHaveLength(1)
    for (let n = 1; n <= 1001; n++) screen.streams[0]!.dispatchEvent(new MessageEvent('entry', { data: JSON.stringify(entry(n)) })) // prettier-ignore
    await screen.pass()
    expect(screen.lines('.fresh')).toEqual(['Show 1000 new entries'])
  })

  it('can be paused, and says when it does not follow', async () => {
    const screen = await opened(
      '/activity',
      trailOf(() => page([entry(1)])),
    )
    const state = () => screen.lines('.page-head .row').slice(0, 2)
    expect(state()).toEqual(['{role=status}Follows the trail', '{aria-pressed=false}Pause'])
    await screen.event('error')
    expect(state()[0]).toBe('{role=status}Not connected')
    await screen.event('open')
    expect(state()[0]).toBe('{role=status}Follows the trail')
    await screen.click('Pause')
    expect([state(), screen.streams.map(({ isClosed }) => isClosed)]).toEqual([['{role=status}Paused', '{aria-pressed=true}Go on'], [true]]) // prettier-ignore
    await screen.click('Go on')
    expect(screen.streams.map(({ url, isClosed }) => `${url} ${isClosed}`)).toEqual(['/-/console/api/trail/stream true', '/-/console/api/trail/stream false']) // prettier-ignore
  })

  it('is read without a stream, too, and says what could not be read', async () => {
    const screen = await openPage(
      '/activity',
      trailOf(() => failure('rate_limited', 'Too often.')),
    )
    expect(screen.lines('.notice')).toEqual([])
    await screen.event('error')
    expect(screen.lines('.notice')).toEqual(['{data-is=failed}(failed)The trail could not be read', 'Too often.'])
  })
})

const CALL = '/activity/inv-000000000009'
const OF_CALL = `${API}/trail?invocation_id=inv-000000000009&limit=10`
const CHILDREN = `${API}/trail?parent_invocation_id=inv-000000000009&limit=50`
const MANIFEST = {
  'GET /svc/manifest': { capabilities: { book: { side_effect: { type: 'transactional', rollback_window: 'PT24H', compensation: 'cancel' } }, look: { side_effect: { type: 'read' } } } },
} // prettier-ignore

describe('the page of a call', () => {
  it('says that it is done, what it cost, whose it was, what belongs to it', async () => {
    const call = entry(9, {
      cost_actual: { currency: 'EUR', amount: 3 },
      cost_exceeded: true,
      task_id: 'trip-7',
      approval_request_id: 'apr/1',
      parent_invocation_id: 'inv-000000000001',
      parameters: { hotel: 'Aurora', nights: 2 },
    })
    const screen = await openPage(CALL, {
      ...MANIFEST,
      [OF_CALL]: page([entry(8, { entry_type: 'approval_granted' }), call]),
      [CHILDREN]: page([entry(11), call, entry(10)]),
      [`${API}/trail?invocation_id=inv-000000000001&limit=50`]: page([entry(1)]),
      [`${API}/trail?approval_request_id=apr%2F1&limit=50`]: page([entry(10), entry(2, { entry_type: 'approval_granted', approval_request_id: 'apr_1' })]),
    }) // prettier-ignore
    expect(screen.lines()).toMatchInlineSnapshot(`
      [
        "[{href=/-/console/activity}‹ Activity]inv-000000000009",
        "book is done: 3.00 EUR",
        "{data-is=done}(done)Doneagent:desk, for ana · {datetime=2026-03-01T11:58:30.000Z}20:58:30 (11:58:30 UTC) · task trip-7",
        "All checks passed",
        "Who calls",
        "{data-is=done}(tick)Credential is present",
        "{data-is=done}(tick)Token is genuine",
        "{data-is=done}(tick)Token was not revoked",
        "{data-is=done}(tick)Token has not expired",
        "Request",
        "{data-is=done}(tick)Capability exists",
        "{data-is=done}(tick)Response mode is supported",
        "Authority",
        "{data-is=done}(tick)Kind of principal may call",
        "{data-is=done}(tick)Scope covers it",
        "{data-is=done}(tick)Purpose of the token matches",
        "{data-is=done}(tick)Chain is short enough",
        "{data-is=done}(tick)Control requirements hold",
        "{data-is=done}(tick)Capability is not paused",
        "Inputs",
        "{data-is=done}(tick)Bindings are named",
        "{data-is=done}(tick)Inputs are valid",
        "{data-is=done}(tick)Idempotency key is unused",
        "{data-is=done}(tick)Bindings are fresh and genuine",
        "Money, approval, rate",
        "{data-is=done}(tick)Budget covers it",
        "{data-is=done}(tick)Approval is given",
        "{data-is=done}(tick)Rate and concurrency",
        "Run",
        "{data-is=done}(tick)Handler",
        "Related entries",
        "{role=table}",
        "Time | What | Who | Outcome | Cost | Task |",
        "{datetime=2026-03-01T11:59:50.000Z}20:59:5011:59:50 UTC | [{href=/-/console/activity/inv-000000000001}book] | agent:deskfor ana | {data-is=done}(done)Done | | |",
        "{datetime=2026-03-01T11:59:40.000Z}20:59:4011:59:40 UTC | [{href=/-/console/approvals/apr_1}Approval]book | agent:deskfor ana | {data-is=approve}(done)Approved | | |",
        "{datetime=2026-03-01T11:58:20.000Z}20:58:2011:58:20 UTC | [{href=/-/console/activity/inv-000000000010}book] | agent:deskfor ana | {data-is=done}(done)Done | | |",
        "{datetime=2026-03-01T11:58:10.000Z}20:58:1011:58:10 UTC | [{href=/-/console/activity/inv-000000000011}book] | agent:deskfor ana | {data-is=done}(done)Done | | |",
        "{aria-label=Outcome and proof}",
        "It was done",
        "Intent",
        "recorded before it ran; this is its outcome",
        "Undo",
        "Can be undone until 2 Mar, 20:58 (11:58 UTC), by cancel",
        "Cost",
        "3.00 EUR, more than was checked",
        "Approval",
        "[{href=/-/console/approvals/apr%2F1}its request]",
        "Token",
        "tok_1",
        "Values",
        "hotel",
        "Aurora",
        "nights",
        "2",
        "{role=status}{data-is=failed}(failed)The proof could not be read",
      ]
    `)
  })

  it.each([
    [
      'scope_insufficient',
      'book',
      [
        'book was refused: the token lacks a required scope',
        '7 checks passed, then: the scope does not cover it',
        '{data-is=refused}(refused)',
        'The scope does not cover it',
        'scope_insufficient',
        'As it\\u{7}is.',
        'Next step: get a token with this scope: svc token issue --scope <scope>.',
        '{data-is=idle}(dash)Purpose of the token matchesnot reached',
        'Nothing happened',
        'Intent',
        'none: the handler did not start',
        'Cost',
        'none',
        'Answer',
        'scope_insufficient, 403',
        'May retry',
        'not this call as it is',
        'Token',
        'tok_1',
      ],
    ],
    [
      'authentication_required',
      'book',
      [
        'book was refused: a valid credential is required',
        'No check passed, then: the call had no credential',
        '{data-is=refused}(refused)',
        'The call had no credential',
        'authentication_required',
        'As it\\u{7}is.',
        'Next step: set SVC_TOKEN_FILE or SVC_TOKEN, or run svc login.',
        '{data-is=idle}(dash)Token is genuinenot reached',
        'Nothing happened',
        'Intent',
        'none: the handler did not start',
        'Cost',
        'none',
        'Answer',
        'authentication_required, 401',
        'May retry',
        'not this call as it is',
        'Token',
        'tok_1',
      ],
    ],
    [
      'invalid_token',
      'look',
      [
        'look was refused: the delegation token is not valid',
        '1 check passed, then: the token is not valid',
        '{data-is=refused}(refused)',
        'The token is not valid',
        'invalid_token',
        'As it\\u{7}is.',
        'Next step: issue a new token: svc token issue --scope <scope> --out agent.token.',
        '{data-is=idle}(dash)Token was not revokednot reached',
        'Nothing happened',
        'Intent',
        'none: the handler did not start',
        'Cost',
        'none',
        'Answer',
        'invalid_token, 401',
        'May retry',
        'not this call as it is',
        'Token',
        'tok_1',
      ],
    ],
    [
      'approval_required',
      'book',
      [
        'book needed an approval',
        '17 checks passed, then: an approval is missing',
        '{data-is=waiting}(waiting)',
        'An approval is missing',
        'approval_required',
        'As it\\u{7}is.',
        'Next step: ask an approver to decide the request (svc approvals), then make the same call again.',
        '{data-is=idle}(dash)Rate and concurrencynot reached',
        'Nothing happened',
        'Intent',
        'none: the handler did not start',
        'Cost',
        'none',
        'Answer',
        'approval_required, 403',
        'May retry',
        'not this call as it is',
        'Token',
        'tok_1',
      ],
    ],
    [
      'rate_limited',
      'book',
      [
        'book was refused: too many requests',
        '18 checks passed, then: too many calls at a time',
        '{data-is=refused}(refused)',
        'Too many calls at a time',
        'rate_limited',
        'As it\\u{7}is.',
        'Next step: wait, then make the same call again.',
        '{data-is=idle}(dash)Handlernot reached',
        'Nothing happened',
        'Intent',
        'none: the handler did not start',
        'Cost',
        'none',
        'Answer',
        'rate_limited, 429',
        'May retry',
        'yes, the same call',
        'Token',
        'tok_1',
      ],
    ],
    [
      'outcome_unknown',
      'book',
      [
        'Outcome of book is unknown',
        'All checks passed',
        '{data-is=failed}(failed)',
        'The handler did not succeed',
        'outcome_unknown',
        'As it\\u{7}is.',
        'Next step: report the invocation id to the service owner.',
        'It may have happened or not',
        'Intent',
        'recorded; no outcome followed',
        'Cost',
        'none',
        'Answer',
        'outcome_unknown, 500',
        'May retry',
        'not this call as it is',
        'Token',
        'tok_1',
      ],
    ],
    [
      'internal_error',
      'look',
      [
        'look failed: the service failed',
        'All checks passed',
        '{data-is=failed}(failed)',
        'The handler did not succeed',
        'internal_error',
        'As it\\u{7}is.',
        'Next step: report the invocation id to the service owner.',
        'Nothing was changed',
        'Intent',
        'none is needed: it reads only',
        'Cost',
        'none',
        'Answer',
        'internal_error, 500',
        'May retry',
        'not this call as it is',
        'Token',
        'tok_1',
      ],
    ],
    [
      'sold_out',
      'gone',
      [
        'gone failed: sold_out',
        'All checks passed',
        '{data-is=failed}(failed)',
        'The handler did not succeed',
        'sold_out',
        'As it\\u{7}is.',
        'Started, then failed',
        'Intent',
        'unknown: the manifest no longer has this capability',
        'Cost',
        'none',
        'Answer',
        'sold_out',
        'May retry',
        'not this call as it is',
        'Token',
        'tok_1',
      ],
    ],
    [
      null,
      null,
      [
        'The call failed: the service did not say why',
        'All checks passed',
        '{data-is=failed}(failed)',
        'The handler did not succeed',
        'unknown',
        'As it\\u{7}is.',
        'Started, then failed',
        'Intent',
        'unknown: the manifest no longer has this capability',
        'Cost',
        'none',
        'Token',
        'tok_1',
      ],
    ],
  ])('says of %s which check said no, and the way out', async (failure_type, capability, said) => {
    const call = entry(9, { success: false, failure_type, capability, detail: 'As it\u0007is.' })
    const screen = await openPage(CALL, { ...MANIFEST, [OF_CALL]: page([call]), [CHILDREN]: NOTHING })
    expect([screen.lines()[1], ...screen.lines('.checks').slice(0, 1), ...screen.lines('.stop'), ...screen.lines('.checks').filter((line) => line.includes('idle')).slice(0, 1), ...screen.lines('aside .panel').slice(0, 12)]).toEqual(said) // prettier-ignore
  })

  it('says how many checks passed, and that the handler was not reached', async () => {
    const call = entry(9, { success: false, failure_type: 'rate_limited' })
    const screen = await openPage(CALL, { [OF_CALL]: page([call]) })
    expect(screen.lines('.checks')).toMatchInlineSnapshot(`
      [
        "18 checks passed, then: too many calls at a time",
        "Who calls",
        "{data-is=done}(tick)Credential is present",
        "{data-is=done}(tick)Token is genuine",
        "{data-is=done}(tick)Token was not revoked",
        "{data-is=done}(tick)Token has not expired",
        "Request",
        "{data-is=done}(tick)Capability exists",
        "{data-is=done}(tick)Response mode is supported",
        "Authority",
        "{data-is=done}(tick)Kind of principal may call",
        "{data-is=done}(tick)Scope covers it",
        "{data-is=done}(tick)Purpose of the token matches",
        "{data-is=done}(tick)Chain is short enough",
        "{data-is=done}(tick)Control requirements hold",
        "{data-is=done}(tick)Capability is not paused",
        "Inputs",
        "{data-is=done}(tick)Bindings are named",
        "{data-is=done}(tick)Inputs are valid",
        "{data-is=done}(tick)Idempotency key is unused",
        "{data-is=done}(tick)Bindings are fresh and genuine",
        "Money, approval, rate",
        "{data-is=done}(tick)Budget covers it",
        "{data-is=done}(tick)Approval is given",
        "{data-is=refused}(refused)",
        "Too many calls at a time",
        "rate_limited",
        "Next step: wait, then make the same call again.",
        "Run",
        "{data-is=idle}(dash)Handlernot reached",
      ]
    `)
  })

  it('of a read that was done says that nothing had to be recorded', async () => {
    const screen = await openPage(CALL, { ...MANIFEST, [OF_CALL]: page([entry(9, { capability: 'look' })]) })
    expect([screen.lines('h1'), screen.lines('aside .panel').slice(0, 5)]).toMatchInlineSnapshot(`
      [
        [
          "look is done",
        ],
        [
          "It was read",
          "Intent",
          "none is needed: it reads only",
          "Cost",
          "none",
        ],
      ]
    `)
    const long = await openPage(CALL, { ...MANIFEST, [OF_CALL]: page([entry(9, { timestamp: at(-86_400) })]) })
    expect(long.lines('aside .panel').slice(3, 5)).toMatchInlineSnapshot(`
      [
        "Undo",
        "Could be undone until 21:00 (12:00 UTC)",
      ]
    `)
  })

  it('of nobody here is none, and what could not be read is said', async () => {
    const screen = await openPage(CALL, { [OF_CALL]: page([entry(9, { entry_type: 'approval_requested' })]) })
    expect(screen.lines()).toMatchInlineSnapshot(`
      [
        "[{href=/-/console/activity}‹ Activity]",
        "Call not found, or you may not see it",
        "inv-000000000009 is of somebody else, its content was erased, or it never was.",
        "[{href=/-/console/activity}All activity]",
      ]
    `)
    const other = await openPage(CALL, { [OF_CALL]: failure('rate_limited', 'Too often.') })
    expect(other.lines()).toEqual(['{data-is=failed}(failed)The trail could not be read', 'Too often.'])
  })

  it('looks for a checkpoint that covers it, until there is one', async () => {
    const checkpoint = { checkpoint_id: 'ckp_1', entry_count: 3, sequence: 1, created_at: at(0), merkle_root: '', signature: '' }
    const screen = await openPage(CALL, { [OF_CALL]: page([entry(9)]), 'GET /svc/checkpoints?limit=1': { checkpoints: [checkpoint] } })
    expect(screen.lines('[aria-labelledby=proof]')).toMatchInlineSnapshot(`
      [
        "{role=status}{data-is=waiting}(waiting)Not signed yet",
        "The next checkpoint will cover this entry. This page looks for it.",
      ]
    `)
    screen.answer({ 'GET /svc/checkpoints?limit=1': NOTHING })
    await screen.pass(2000)
    expect(screen.lines('[aria-labelledby=proof]')).toEqual(['{role=status}{data-is=failed}(failed)The proof could not be read'])
    const reads = () => screen.sent.filter(({ request }) => request.includes('checkpoints')).length
    const before = reads()
    await screen.pass(2000)
    expect(reads()).toBe(before + 1)
  }) // prettier-ignore
})
