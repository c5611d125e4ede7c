import { describe, expect, it } from 'vitest'
import { asks } from './requests.js'
import { at, failure, ME, NOTHING, openPage, type Answers } from './screen.js'

const PENDING = 'GET /-/console/api/approvals?status=pending&limit=200'
const API = '/-/console/api/approvals/'

const CONTEXT = {
  description: 'Holds a seat for two hours.',
  side_effect: { type: 'transactional', rollback_window: 'PT2H' },
  token: { budget: { currency: 'EUR', max_amount: 200, mode: 'cumulative' }, spent: 50, task_id: 'trip-7', expires_at: at(86_400) },
  delegation: ['human:ana', 'human:ana', 'agent:desk', 'agent:booker'],
  earlier: {
    counts: { approved: 2, denied: 1, expired: 0 },
    last: [
      { status: 'approved', approver: 'human:bob', decided_at: at(-600), reason: null },
      { status: 'denied', approver: 'human:cy', decided_at: at(-90_000), reason: 'Too “dear”\u0007' },
    ],
  },
} // prettier-ignore
const HOLD = asks('hold', { session_id: 'ses_1', context: CONTEXT, requester: { subject: 'agent:booker', root_principal: 'human:ana', token_id: 't' } }) // prettier-ignore
const SESSION = { allowed_grant_types: ['one_time', 'session_bound'], default_grant_type: 'one_time', expires_in_seconds: 930, max_uses: 3 } // prettier-ignore

const served = (request: object, ...others: readonly object[]): Answers => ({
  [PENDING]: { approval_requests: [request, ...others] },
  [`GET ${API}${(request as { approval_request_id: string }).approval_request_id}`]: request,
})

describe('the page of a request', () => {
  it.each([
    [{ summary: 'Hold 2B', seat: '2B' }, ['1 difference from the last request', '[{href=/-/console/approvals/apr_0}Approved by you] at {datetime=2026-03-01T11:50:00.000Z}20:50.', 'Value | Last | This |', 'seat | 2A | 2B |']],
    [{ summary: 'Hold 2A', seat: '2A' }, ['The same as the last request', '[{href=/-/console/approvals/apr_0}Approved by you] at {datetime=2026-03-01T11:50:00.000Z}20:50.']],
  ])('says what differs from the last request: %j', async (preview, lines) => {
    const last_decided = { ...asks('hold', { approval_request_id: 'apr_0', preview: { summary: 'Hold 2A', seat: '2A' } }), status: 'approved', decided_at: at(-600) }
    const screen = await openPage('/approvals/apr_hold', served({ ...HOLD, preview, context: { ...CONTEXT, last_decided } }))
    expect(screen.lines('section[aria-labelledby=last]')).toEqual(lines)
  }) // prettier-ignore

  it('says what will run, what it costs, who asks for whom, and what was decided before', async () => {
    const screen = await openPage('/approvals/apr_hold', served(HOLD, asks('book')))
    expect(screen.lines()).toMatchInlineSnapshot(`
      [
        "[{href=/-/console/approvals}‹ All approvals]1 of 2 · J next · K previous · asked at {datetime=2026-03-01T11:59:00.000Z}20:59 · apr_hold",
        "agent:booker asks to",
        "Hold seat",
        "Holds a seat for two hours.",
        "{data-is=undo}(undo)It can be undone for 2 h",
        "The service takes it back on request.",
        "It takes 6 % of the budget and leaves 137.50 EUR",
        "{role=img aria-label=Budget of 200.00 EUR: 50.00 spent before, 12.50 for this call, 137.50 left after it}",
        "{width=25 height=10 spent}",
        "{width=6.25 x=25 height=10 this}",
        "{width=.5 x=24.8 height=10 gap}",
        "{width=12 height=12 spent}",
        "50.00 spent before",
        "{width=12 height=12 this}",
        "12.50 this call",
        "{width=12 height=12}",
        "137.50 left of 200.00 EUR",
        "What will run",
        "Capability",
        "hold",
        "(verified)Preview by the service. Your approval holds for exactly these values: sha256:abab…cdef",
        "Delegation chain",
        "(person)",
        "ana gives the authority",
        "(agent)",
        "agent:desk passes on less",
        "(agent)",
        "agent:booker asks",
        "Scope seats.write, up to 200.00 EUR, until 2 Mar, 21:00 (12:00 UTC) · task trip-7",
        "Earlier requests of agent:booker: 2 approved, 1 denied",
        "Decision | By | When |",
        "{data-is=approve}(done)Approved | by you | {title=20:50 (11:50 UTC) datetime=2026-03-01T11:50:00.000Z}20:50 |",
        "{data-is=denied}(denied)Denied | by cy“Too “dear”\\u{7}” | {title=28 Feb, 20:00 (11:00 UTC) datetime=2026-02-28T11:00:00.000Z}28 Feb, 20:00 |",
        "{aria-label=Decision}",
        "Your decision",
        "{role=timer}13:59 left",
        "Until {datetime=2026-03-01T12:14:00.000Z}21:14 (12:14 UTC). It expires if nobody decides.",
        "{role=status}",
        "For how long",
        "{type=radio name=terms checked}",
        "OnceThis call, within 15 min",
        "{type=radio name=terms disabled}",
        "For this session",
        "The policy of hold allows one call per approval.",
        "Note for the audit trail (optional)",
        "{maxlength=1000}",
        "{data-kind=deny}Deny… R",
        "{data-kind=approve aria-disabled=false}Approve once A",
        "{data-kind=quiet}Send back with a question… Q",
        "12.50 EUR · can be undone13:59 left",
        "{data-kind=deny}Deny… R",
        "{data-kind=approve aria-disabled=false}Approve once A",
      ]
    `)
    expect(screen.lines('.task-page')[0]).toBe('{task-page}')
    expect(screen.lines('.decide-bar')).toMatchInlineSnapshot(`
      [
        "12.50 EUR · can be undone13:59 left",
        "{data-kind=deny}Deny… R",
        "{data-kind=approve aria-disabled=false}Approve once A",
      ]
    `)
    await expect.poll(screen.title).toBe('Hold seat · Travel')
  })

  it('draws no bar where the budget is for each call: nothing of it is spent', async () => {
    const token = { ...CONTEXT.token, budget: { ...CONTEXT.token.budget, mode: 'per_invocation' } }
    const screen = await openPage('/approvals/apr_hold', served(asks('hold', { context: { ...CONTEXT, token } })))
    expect(screen.lines('[aria-labelledby=cost]')).toEqual([
      'It costs 12.50 EUR',
      'The token of the agent may spend at most 200.00 EUR per call.',
    ])
  })

  it('says what the service does not know, and that the first request is the first', async () => {
    const { preview: _, checked_cost: __, ...bare } = asks('book', {
      step: { id: 'pay', capability: 'charge', parameters_digest: '', progress_digest: '', parameters: { quote_id: 'bnd_1', nights: 2, rooms: ['a'] } },
      bound: [{ field: 'quote_id', type: 'quote', price: { currency: 'EUR', amount: 150 }, data: { guest: 'M. K.' } }],
      hidden: ['card'],
      preview_digest: `sha256:1234${'0'.repeat(56)}9876`,
      spent_by: 'inv-000000000001',
      requester: { subject: 'human:ana', root_principal: 'human:ana', token_id: 't' },
      scope: [],
      task_id: 'task-of-request',
      context: { earlier: { counts: { denied: 0 }, last: [] } },
    }) // prettier-ignore
    const screen = await openPage('/approvals/apr_book', served(bare))
    expect(screen.lines('.split > div')).toMatchInlineSnapshot(`
      [
        "ana asks to",
        "Charge",
        "A step of book.",
        "{data-is=neutral}(write)Its effect is unknown",
        "The service did not say.",
        "{data-is=waiting}(waiting)The very same call was approved and made within the last 24 h",
        "It was invocation inv-000000000001. This may be a repeated request for the same effect.",
        "Its cost is unknown",
        "The token of the agent has no budget.",
        "What will run",
        "charge gives no preview. These are what was quoted, and the values of the call.",
        "Guest",
        "M. K.",
        "Quoted price",
        "150.00 EUR",
        "Nights",
        "2",
        "Rooms",
        "["a"]",
        "Card",
        "Hidden: marked as sensitive",
        "Quote id",
        "bnd_1",
        "Capability",
        "charge",
        "(verified)Your approval holds for exactly these values: sha256:1234…9876",
        "Delegation chain",
        "(person)",
        "ana asks with own authority",
        "task task-of-request",
        "First request of ana for this",
        "No earlier decisions.",
      ]
    `)
  })

  it.each([
    [
      'a preview',
      { preview: { summary: 'Changes 1 things.', list: 'a' } },
      ['summary | Changes 1 things. | Changes 1000 things.', 'zone | not shown | north'],
    ],
    ['none', {}, ['summary | not shown | Changes 1000 things.', 'list | not shown | a', 'zone | not shown | north']],
  ])('shows both where what was approved has changed: before, %s', async (_, before, rows) => {
    const preview = { summary: 'Changes 1000 things.', list: 'a', zone: 'north' }
    const request = asks('hold', { preview, approved_before: { approval_request_id: 'apr_before', ...before } })
    const screen = await openPage('/approvals/apr_hold', served(request))
    expect(screen.lines('[aria-labelledby=changed]')).toEqual([
      'Changed since it was approved',
      '{data-is=waiting}(waiting)This call was approved, and did not run',
      'The service would now do something else than [{href=/-/console/approvals/apr_before}what was approved].',
      'Value | Approved | Now |',
      ...rows.map((row) => `${row} |`),
    ])
  })

  it.each([
    ['no budget', {}, ['It costs 12.50 EUR', 'The token of the agent has no budget.']],
    [
      'another currency',
      { budget: { currency: 'USD', max_amount: 10, mode: 'cumulative' }, spent: 1 },
      ['It costs 12.50 EUR', 'The token of the agent may spend at most 10.00 USD in all.'],
    ],
    [
      'a budget per call',
      { budget: { currency: 'EUR', max_amount: 10 } },
      ['It costs 12.50 EUR', 'The token of the agent may spend at most 10.00 EUR per call.'],
    ],
    [
      'nothing said of what is spent',
      { budget: { currency: 'EUR', max_amount: 10, mode: 'cumulative' } },
      ['It costs 12.50 EUR', 'The token of the agent may spend at most 10.00 EUR in all.'],
    ],
    [
      'more than is left',
      { budget: { currency: 'EUR', max_amount: 20, mode: 'cumulative' }, spent: 15 },
      [
        'It takes 63 % of the budget and leaves 0.00 EUR',
        '{role=img aria-label=Budget of 20.00 EUR: 15.00 spent before, 12.50 for this call, 0.00 left after it}',
        '{width=75 height=10 spent}',
        '{width=25 x=75 height=10 this}',
        '{width=.5 x=74.8 height=10 gap}',
        '{width=12 height=12 spent}',
        '15.00 spent before',
        '{width=12 height=12 this}',
        '12.50 this call',
        '{width=12 height=12}',
        '0.00 left of 20.00 EUR',
      ],
    ],
    [
      'nothing spent',
      { budget: { currency: 'EUR', max_amount: 50, mode: 'cumulative' }, spent: 0 },
      [
        'It takes 25 % of the budget and leaves 37.50 EUR',
        '{role=img aria-label=Budget of 50.00 EUR: 0.00 spent before, 12.50 for this call, 37.50 left after it}',
        '{width=0 height=10 spent}',
        '{width=25 x=0 height=10 this}',
        '{width=12 height=12 spent}',
        '0.00 spent before',
        '{width=12 height=12 this}',
        '12.50 this call',
        '{width=12 height=12}',
        '37.50 left of 50.00 EUR',
      ],
    ],
  ])('says what it takes of %s', async (_, token, said) => {
    const request = asks('hold', { context: { ...CONTEXT, token: { ...token, expires_at: at(60) } } })
    const screen = await openPage('/approvals/apr_hold', served(request))
    expect(screen.lines('[aria-labelledby=cost]')).toEqual(said)
  })

  it('says at most 60 values of a preview, and of each its first 200 characters until all are asked for', async () => {
    const preview = { action: 'Hold', summary: 'Hold it', note: `${'x'.repeat(199)}yz`, ...Object.fromEntries([...Array(61).keys()].map((n) => [`f${n}`, n])) } // prettier-ignore
    const screen = await openPage('/approvals/apr_hold', served(asks('hold', { preview })))
    const lines = screen.lines('[aria-labelledby=run]')
    expect([lines.length, ...lines.slice(0, 5), ...lines.slice(-6)]).toMatchInlineSnapshot(`
      [
        126,
        "What will run",
        "note",
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…",
        "{data-kind=quiet}show all",
        "f0",
        "f58",
        "58",
        "Capability",
        "hold",
        "And 2 more values, which are not shown.",
        "(verified)Preview by the service. Your approval holds for exactly these values: sha256:abab…cdef",
      ]
    `)
    await screen.click('show all')
    expect(screen.lines('[aria-labelledby=run]').slice(2, 4)).toEqual([
      `${'x'.repeat(199)}yz`,
      '{data-kind=quiet}show less',
    ])
  })

  it('goes to the next and the previous by J and K, and to the first from one that does not wait', async () => {
    const [one, two] = [asks('hold', { approval_request_id: 'a' }), asks('hold', { approval_request_id: 'b', expires_at: at(900) })] // prettier-ignore
    const gone = asks('hold', { approval_request_id: 'c', status: 'withdrawn', decided_at: at(-9) })
    const screen = await openPage('/approvals/a', { [PENDING]: { approval_requests: [one, two] }, [`GET ${API}a`]: one, [`GET ${API}b`]: two, [`GET ${API}c`]: gone }) // prettier-ignore
    const went: string[] = []
    for (const key of ['k', 'j', 'j', 'k']) {
      await screen.press(key)
      went.push(screen.path())
    }
    expect(went).toEqual(['/approvals/a', '/approvals/b', '/approvals/b', '/approvals/a'])
    const other = await openPage('/approvals/c', { [PENDING]: { approval_requests: [one, two] }, [`GET ${API}a`]: one, [`GET ${API}c`]: gone }) // prettier-ignore
    expect(other.lines('aside')).toMatchInlineSnapshot(`
      [
        "{aria-label=Decision}",
        "{aria-label=Decision}",
        "{role=status data-is=neutral}(undo)agent:desk withdrew it at 20:59",
        "Nothing ran, and nothing is left to decide.",
        "Next request J",
      ]
    `)
    await other.click('Next request')
    expect(other.path()).toBe('/approvals/a')
    const third = await openPage('/approvals/c', { [PENDING]: { approval_requests: [one, two] }, [`GET ${API}a`]: one, [`GET ${API}c`]: gone }) // prettier-ignore
    await third.press('k')
    expect(third.path()).toBe('/approvals/a')
  })

  it('is read again as soon as it is decided, and tried again where nobody answered', async () => {
    const screen = await openPage('/approvals/apr_hold', { [`GET ${API}apr_hold`]: NOTHING })
    expect(screen.lines()).toEqual([
      '[{href=/-/console/approvals}‹ All approvals]',
      'The service does not answer',
      'The service did not answer. It may have received this or not; pressing again is safe.',
    ])
    screen.answer({ [`GET ${API}apr_hold`]: HOLD, [`GET ${API}apr_hold?wait=10`]: { ...HOLD, status: 'approved', approver: 'human:cy', decided_at: at(2) } }) // prettier-ignore
    await screen.pass(2200)
    expect(screen.lines('aside')).toMatchInlineSnapshot(`
      [
        "{aria-label=Decision}",
        "{aria-label=Decision}",
        "{role=status data-is=approve}(done)cy approved it just now",
        "agent:booker can go on until 21:15 (12:15 UTC) at the latest. After that it must ask again.",
      ]
    `)
    const { length } = screen.sent.filter(({ request }) => request.includes('apr_hold'))
    await screen.pass(1000)
    expect(screen.sent.filter(({ request }) => request.includes('apr_hold'))).toHaveLength(length)
  })

  it('that was decided leads to the next that waits, and nowhere where none does', async () => {
    const decided = { ...HOLD, status: 'denied', approver: 'human:cy', decided_at: at(-9) }
    const next = async (...others: readonly object[]) => {
      const screen = await openPage('/approvals/apr_hold', { [`GET ${API}apr_hold`]: decided, [PENDING]: { approval_requests: [HOLD, ...others] } }) // prettier-ignore
      return screen.lines('aside').includes('Next request J')
    }
    expect([await next(), await next(asks('book'))]).toEqual([false, true])
  })

  it('of somebody else is none', async () => {
    const screen = await openPage('/approvals/apr_no', { [`GET ${API}apr_no`]: failure('not_found', 'There is none.') })
    expect(screen.lines().slice(1)).toEqual(['Request not found, or you may not see it', 'There is none.'])
    await screen.pass(5000)
    expect(screen.sent.filter(({ request }) => request.endsWith('apr_no'))).toHaveLength(1)
  })

  it.each([
    [
      'approved',
      { approver: 'human:bob', decided_at: at(-1), reason: 'Go' },
      [
        '{role=status data-is=approve}(done)You approved it just now',
        '“Go”',
        'agent:desk can go on until 21:14 (12:14 UTC) at the latest. After that it must ask again.',
      ],
    ],
    [
      'approved',
      { approver: 'human:cy', decided_at: at(-3000) },
      [
        '{role=status data-is=approve}(done)cy approved it at 20:10',
        'The time in which agent:desk could go on is over.',
      ],
    ],
    [
      'approved',
      { approver: 'human:cy', decided_at: at(-3000), reason: 'x'.repeat(1001) },
      [
        '{role=status data-is=approve}(done)cy approved it at 20:10',
        `“${'x'.repeat(999)}…”`,
        'The time in which agent:desk could go on is over.',
      ],
    ],
    [
      'denied',
      { approver: 'human:cy', decided_at: at(-2) },
      [
        '{role=status data-is=denied}(denied)cy denied it 2 s ago',
        'At 20:59 (11:59 UTC). Nothing ran. The same call is refused with the reason for a while. agent:desk has not read it.',
      ],
    ],
    [
      'denied',
      { approver: 'human:cy', decided_at: at(-30), reason: 'No' },
      [
        '{role=status data-is=denied}(denied)cy denied it 30 s ago',
        '“No”',
        'At 20:59 (11:59 UTC). Nothing ran. The same call is refused with the reason for a while. agent:desk has not read it.',
      ],
    ],
    [
      'denied',
      { approver: null, decided_at: at(-60) },
      [
        '{role=status data-is=denied}(denied)nobody denied it at 20:59',
        'At 20:59 (11:59 UTC). Nothing ran. The same call is refused with the reason for a while. agent:desk has not read it.',
      ],
    ],
    [
      'returned',
      { approver: 'human:cy', decided_at: at(-60), reason: 'Which row?', answered_at: at(-30) },
      [
        '{role=status data-is=neutral}(undo)cy sent it back with a question at 20:59',
        '“Which row?”',
        'At 20:59 (11:59 UTC). Nothing ran. The same call is answered once with the question, then opens a new request. Read by agent:desk at 20:59.',
      ],
    ],
    [
      'approved',
      {
        approver: 'human:cy',
        decided_at: at(-60),
        context: {
          outcome: {
            invocation_id: 'inv-000000000009',
            success: true,
            failure_type: null,
            cost_actual: { currency: 'EUR', amount: 12.5 },
            timestamp: at(-30),
          },
          earlier: { counts: {}, last: [] },
        },
      },
      [
        '{role=status data-is=approve}(done)cy approved it at 20:59',
        'It ran at 20:59, and is done: invocation inv-000000000009.',
      ],
    ],
    [
      'approved',
      {
        approver: 'human:cy',
        decided_at: at(-60),
        context: {
          outcome: {
            invocation_id: 'inv-000000000009',
            success: false,
            failure_type: 'outcome_unknown',
            cost_actual: null,
            timestamp: at(-30),
          },
          earlier: { counts: {}, last: [] },
        },
      },
      [
        '{role=status data-is=approve}(done)cy approved it at 20:59',
        'It ran at 20:59, and its outcome is unknown: invocation inv-000000000009. An operator settles it.',
      ],
    ],
    [
      'expired',
      { expires_at: at(-100) },
      [
        '{role=status data-is=neutral}(expired)It expired at 20:58. Nothing ran.',
        'Nobody decided in time. agent:desk may ask again; this request cannot be approved any more.',
      ],
    ],
    [
      'withdrawn',
      { decided_at: at(-100) },
      [
        '{role=status data-is=neutral}(undo)agent:desk withdrew it at 20:58',
        'Nothing ran, and nothing is left to decide.',
      ],
    ],
  ])('says what became of it: %s %j', async (status, more, became) => {
    const request = asks('hold', { status, ...more })
    const screen = await openPage('/approvals/apr_hold', { [`GET ${API}apr_hold`]: request })
    expect(screen.lines('aside').slice(2)).toEqual(became)
    const cost = (more as { readonly context?: { readonly outcome: { readonly cost_actual: object | null } } }).context?.outcome.cost_actual // prettier-ignore
    expect([...screen.lines('.who'), ...screen.lines('[aria-labelledby=cost]')]).toEqual([
      'agent:desk asked to',
      status === 'approved' ? 'Approved cost: 12.50 EUR' : 'Requested cost: 12.50 EUR',
      ...(status === 'approved' ? [] : ['Nothing was spent.']),
      ...(cost ? ['Actual cost: as approved.'] : []),
    ])
    const said = screen.lines('.what').join(' ')
    expect(said.includes('Nothing ran')).toBe(status !== 'approved')
    if (status !== 'approved') expect(said).not.toMatch(/undone|take/u)
  })
})

describe('a decision', () => {
  it('is asked for twice where nothing takes it back, and not sooner than one can read', async () => {
    const book = asks('book', { context: { ...CONTEXT, side_effect: { type: 'irreversible' } }, preview: { summary: 'Book 1A', action: 'Pay it' } })
    const screen = await openPage('/approvals/apr_book', served(book))
    await screen.press('a', {})
    expect(screen.lines('dialog')).toMatchInlineSnapshot(`
      [
        "{role=alertdialog}",
        "Step 2 of 2 · 13:59 left",
        "Approve a call that cannot be undone?",
        "It runs as soon as the agent repeats the call. It cannot be undone.",
        "What",
        "Book 1A",
        "Amount",
        "12.50 EUR",
        "Approval",
        "Once, by you",
        "{data-kind=irreversible aria-disabled=false autofocus=true}Pay it Enter",
        "Go back Esc",
      ]
    `)
    await screen.click('Pay it')
    expect(screen.changes()).toEqual([])
    await screen.pass(400)
    screen.answer({ [`POST ${API}apr_book/approve`]: new Promise(() => undefined) as never })
    await screen.click('Pay it')
    expect(screen.lines('dialog').filter((line) => line.includes('irreversible'))).toEqual(['{data-kind=irreversible aria-disabled=true autofocus=true}Approving…'])
    await screen.click('Approving')
    expect(screen.changes()).toHaveLength(1)
  }) // prettier-ignore

  it('holds once by default, with the note that was typed, and what was typed is forgotten then', async () => {
    const screen = await openPage('/approvals/apr_hold', served(HOLD))
    await screen.fill('Note for the audit trail', ' fine ')
    expect(screen.window.sessionStorage.getItem('console-draft-apr_hold')).toBe('{"reason":" fine ","isSession":false,"uses":1,"minutes":15}') // prettier-ignore
    screen.answer({ [`POST ${API}apr_hold/approve`]: {}, [`GET ${API}apr_hold`]: { ...HOLD, status: 'approved', approver: 'human:bob', decided_at: at(1) } }) // prettier-ignore
    await screen.click('Approve once')
    expect(screen.changes()).toEqual([{ request: `POST ${API}apr_hold/approve`, csrf: 'csrf-of-bob', body: { grant_type: 'one_time', reason: 'fine' } }]) // prettier-ignore
    expect(screen.window.sessionStorage.getItem('console-draft-apr_hold')).toBeNull()
    expect(screen.lines('aside')[2]).toBe('{role=status data-is=approve}(done)You approved it just now')
  })

  it.each([
    ['1', '1 × 12.50 EUR = 12.50 EUR at most. The policy allows 3 calls in 15 min.'],
    ['2', '2 × 12.50 EUR = 25.00 EUR at most. The policy allows 3 calls in 15 min.'],
    ['3', '3 × 12.50 EUR = 37.50 EUR at most. The policy allows 3 calls in 15 min.'],
  ])('says what %s calls cost at most', async (calls, line) => {
    const screen = await openPage('/approvals/apr_hold', served({ ...HOLD, grant_policy: SESSION }))
    await screen.send('#for-session', 'change')
    await screen.fill('calls', calls)
    expect(screen.lines('fieldset').at(-1)).toBe(line)
  })

  it('may hold for a session, within the policy', async () => {
    const screen = await openPage('/approvals/apr_hold', served({ ...HOLD, grant_policy: SESSION }))
    expect(screen.lines('fieldset')).toMatchInlineSnapshot(`
      [
        "For how long",
        "{type=radio name=terms checked}",
        "OnceThis call, within 15 min",
        "{type=radio name=terms}",
        "For this session",
        "The same values again, as often as you say",
      ]
    `)
    await screen.send('#for-session', 'change')
    expect(screen.lines('fieldset')).toMatchInlineSnapshot(`
      [
        "For how long",
        "{type=radio name=terms}",
        "OnceThis call, within 15 min",
        "{type=radio name=terms checked}",
        "For this session",
        "The same values again, at most",
        "{type=number min=1 max=3 :3}",
        "calls",
        "{type=number min=1 max=15 :15}",
        "min",
        "3 × 12.50 EUR = 37.50 EUR at most. The policy allows 3 calls in 15 min.",
      ]
    `)
    await screen.fill('calls', '9')
    await screen.fill('min', '2.7')
    await screen.fill('calls', '0')
    expect(screen.lines('fieldset').at(-1)).toMatchInlineSnapshot(
      `"3 × 12.50 EUR = 37.50 EUR at most. The policy allows 3 calls in 15 min."`,
    )
    screen.answer({ [`POST ${API}apr_hold/approve`]: failure('approval_request_closed', 'Somebody was first.') })
    await screen.click('Approve 3 calls')
    expect(screen.changes()[0]?.body).toEqual({ grant_type: 'session_bound', session_id: 'ses_1', max_uses: 3, expires_in_seconds: 120 }) // prettier-ignore
    expect(screen.lines('.decide .gapdown')).toEqual(['{role=alert data-is=failed}(failed)It was not decided', 'Somebody was first.']) // prettier-ignore
    expect(screen.sent.filter(({ request }) => request === `GET ${API}apr_hold`)).toHaveLength(2)
  })

  it('is for a session at once where nothing else is allowed, and once where the agent named none', async () => {
    const only = { ...SESSION, allowed_grant_types: ['session_bound'], expires_in_seconds: 30 }
    const screen = await openPage('/approvals/apr_hold', served({ ...HOLD, grant_policy: only }))
    expect(screen.lines('fieldset')).toMatchInlineSnapshot(`
      [
        "For how long",
        "{type=radio name=terms disabled}",
        "OnceThis call, within 30 s",
        "{type=radio name=terms checked}",
        "For this session",
        "The same values again, at most",
        "{type=number min=1 max=3 :3}",
        "calls",
        "{type=number min=1 max=1 :1}",
        "min",
        "3 × 12.50 EUR = 37.50 EUR at most. The policy allows 3 calls in 1 min.",
      ]
    `)
    const { session_id: _, ...nameless } = HOLD
    const other = await openPage('/approvals/apr_hold', served({ ...nameless, grant_policy: SESSION }))
    expect(other.lines('fieldset')).toMatchInlineSnapshot(`
      [
        "For how long",
        "{type=radio name=terms checked}",
        "OnceThis call, within 15 min",
        "{type=radio name=terms disabled}",
        "For this session",
        "The agent named no session that an approval could hold for.",
      ]
    `)
  })

  it('that nobody answered is said so, and what was typed stays', async () => {
    const screen = await openPage('/approvals/apr_hold', served(HOLD))
    await screen.fill('Note for the audit trail', 'fine')
    await screen.click('Approve once')
    expect(screen.lines('.decide .gapdown')).toMatchInlineSnapshot(`
      [
        "{role=alert data-is=failed}(failed)No answer",
        "The service did not answer. It may have received this or not; pressing again is safe.",
      ]
    `)
    screen.answer({
      [`POST ${API}apr_hold/approve`]: failure('authentication_required', 'A decision needs a sign-in.'),
    })
    await screen.click('Approve once')
    expect(screen.lines('.decide .gapdown')).toMatchInlineSnapshot(`
      [
        "{role=alert data-is=failed}(failed)It was not decided",
        "A decision needs a sign-in.",
        "Sign in again",
      ]
    `)
    await screen.click('Sign in again')
    expect(screen.left).toEqual(['assign /-/console/sign-in?again=1&page=%2F-%2Fconsole%2Fapprovals%2Fapr_hold'])
    expect(screen.lines('textarea')).toEqual(['{maxlength=1000 :fine}'])
    expect(screen.sent.filter(({ request }) => request === `GET ${API}apr_hold`)).toHaveLength(1)
  })

  it('is not made twice while the first is under way, and not once the time is over', async () => {
    const screen = await openPage('/approvals/apr_hold', served(HOLD))
    screen.answer({ [`POST ${API}apr_hold/approve`]: new Promise(() => undefined) as never })
    await screen.press('a')
    expect(screen.lines('.decide .buttons')).toEqual(['{data-kind=deny}Deny… R', '{data-kind=approve aria-disabled=true}Approving… A']) // prettier-ignore
    await screen.press('a')
    await screen.press('r')
    expect([screen.changes().length, screen.lines('dialog')]).toEqual([1, []])
    const late = await openPage('/approvals/apr_hold', served({ ...HOLD, expires_at: at(0) }))
    await late.press('a')
    expect(late.changes()).toEqual([])
  })

  it('counts the time down, and speaks of it at five minutes, at one and at the end', async () => {
    const screen = await openPage('/approvals/apr_hold', served({ ...HOLD, expires_at: at(302) }))
    const said = () => [screen.lines('[role=timer]')[0], screen.lines('.decide [role=status]')[0]]
    expect(said()).toEqual(['{role=timer}5:01', '{role=status}'])
    await screen.pass(2000)
    expect(said()).toEqual(['{role=timer}4:59', '{role=status}Five minutes left.'])
    await screen.pass(240_000)
    expect(said()).toEqual(['{role=timer}0:59', '{role=status}One minute left.'])
    await screen.pass(60_000)
    expect(said()).toEqual(['{role=timer}0:00', '{role=status}It has expired.'])
  })

  it('no needs a reason, picked or written; it is sent once', async () => {
    const screen = await openPage('/approvals/apr_hold', served(HOLD))
    await screen.press('r')
    expect(screen.lines('dialog')).toMatchInlineSnapshot(`
      [
        "Deny this request",
        "Nothing runs. The agent gets your reason, and the same call stays denied for a while.",
        "Reason",
        "{type=radio name=reason autofocus}",
        "Wrong amount 1",
        "{type=radio name=reason}",
        "Wrong recipient 2",
        "{type=radio name=reason}",
        "Not now 3",
        "{type=radio name=reason}",
        "Already done 4",
        "In your words (optional, shown to the agent)",
        "{maxlength=900}",
        "{data-kind=deny-full aria-disabled=false}Deny Enter",
        "{type=button}Go back Esc",
      ]
    `)
    await screen.submit()
    expect(screen.lines('dialog .error-text')).toEqual(['{role=alert}Select or enter a reason.'])
    for (const more of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }])
      await screen.send('dialog form', 'keydown', { key: '1', ...more })
    await screen.send('dialog textarea', 'keydown', { key: '1' })
    await screen.send('dialog textarea', 'keydown', { key: 'Enter' })
    await screen.send('dialog form', 'keydown', { key: '5' })
    expect(screen.lines('dialog').filter((line) => line.includes('checked'))).toEqual([])
    await screen.send('dialog form', 'keydown', { key: '1' })
    await screen.send('dialog form', 'keydown', { key: '4' })
    await screen.fill('In your words', ' who? ')
    screen.answer({ [`POST ${API}apr_hold/deny`]: new Promise(() => undefined) as never })
    await screen.send('dialog button', 'keydown', { key: 'Enter' })
    expect(screen.changes()).toEqual([])
    await screen.send('dialog form', 'keydown', { key: 'Enter' })
    await screen.submit()
    expect(screen.changes()).toEqual([{ request: `POST ${API}apr_hold/deny`, csrf: 'csrf-of-bob', body: { reason: 'Already done: who?' } }]) // prettier-ignore
    expect(screen.lines('dialog').filter((line) => line.includes('deny-full'))).toEqual(['{data-kind=deny-full aria-disabled=true}Denying…']) // prettier-ignore
  })

  it('a question is sent back by Q, with words, once', async () => {
    const screen = await openPage('/approvals/apr_hold', served(asks('hold')))
    await screen.press('q')
    expect(screen.lines('dialog h2')).toEqual(['Send back with a question'])
    await screen.submit()
    expect(screen.lines('dialog .error-text')).toEqual(['{role=alert}Enter a question.'])
    expect(screen.changes()).toEqual([])
    await screen.fill('Question (shown to the agent)', ' Which row? ')
    screen.answer({ [`POST ${API}apr_hold/deny`]: {} })
    await screen.submit()
    expect(screen.changes()).toEqual([{ request: `POST ${API}apr_hold/deny`, csrf: 'csrf-of-bob', body: { reason: 'Which row?', holds: false } }]) // prettier-ignore
  })

  it('Escape goes back, and the focus with it', async () => {
    const screen = await openPage('/approvals/apr_hold', served(HOLD))
    await screen.focus('Deny…')
    await screen.click('Deny…')
    await screen.focus('Go back')
    expect(screen.focused()).toBe('Go back Esc')
    await screen.send('dialog', 'cancel')
    expect([screen.lines('dialog'), screen.focused()]).toEqual([[], 'Deny… R'])
  })
})

describe('what is typed', () => {
  it('decides nothing, and is there again after another page', async () => {
    const screen = await openPage('/approvals/apr_hold', served(HOLD))
    const field = () => screen.window.document.getElementById('why') as unknown as { focus(): void; value: string }
    field().focus()
    await screen.press('a')
    expect(screen.changes()).toEqual([])
    await screen.fill('Note for the audit trail', 'not yet')
    await screen.click('‹ All approvals')
    await screen.click('Hold seat')
    expect(field().value).toBe('not yet')
  })

  it('a key that is held confirms nothing', async () => {
    const screen = await openPage('/approvals/apr_book', served(asks('book', { context: { ...CONTEXT, side_effect: { type: 'irreversible' } } }))) // prettier-ignore
    await screen.press('a')
    const button = screen.window.document.querySelector('[data-kind=irreversible]')!
    const held = (repeat: boolean) => !button.dispatchEvent(new screen.window.KeyboardEvent('keydown', { key: 'Enter', repeat, cancelable: true })) // prettier-ignore
    expect([held(true), held(false)]).toEqual([true, false])
  })

  it('says of a value its first 20,000 characters at most', async () => {
    const screen = await openPage(
      '/approvals/apr_hold',
      served(asks('hold', { preview: { note: 'x'.repeat(20_001) } })),
    )
    await screen.click('show all')
    expect(screen.lines('[aria-labelledby=run]')[2]).toBe(`${'x'.repeat(19_999)}…`)
  })
})

describe('who may not decide', () => {
  it.each([
    ['the requester', { requester: { subject: 'human:bob', root_principal: 'human:ana', token_id: 't' } }, {}, [
      '{data-is=refused}(refused)You gave this authority, so you cannot approve it',
      'Somebody with an approver scope for hold who is not in the chain must decide. You can withdraw the request.',
      'Withdraw request',
    ]],
    ['who gave the authority', { requester: { subject: 'agent:desk', root_principal: 'human:bob', token_id: 't' } }, {}, [
      '{data-is=refused}(refused)You gave this authority, so you cannot approve it',
      'Somebody with an approver scope for hold who is not in the chain must decide. You can withdraw the request.',
      'Withdraw request',
    ]],
    ['who stands between', { context: { ...CONTEXT, delegation: ['human:ana', 'human:bob', 'agent:desk'] } }, {}, [
      '{data-is=refused}(refused)You gave this authority, so you cannot approve it',
      'Somebody with an approver scope for hold who is not in the chain must decide. You can withdraw the request.',
      'Withdraw request',
    ]],
    ['who has approved, and another after them', { approvals_needed: 3, approvals: 2, context: { ...CONTEXT, approved_by: ['bob', 'cy'].map((name) => ({ status: 'approved', approver: `human:${name}`, decided_at: at(-5), reason: null })) } }, {}, [
      'Three people must approve. 2 of 3: you, cy. One denial ends it.',
      '{data-is=waiting}(waiting)You have approved it',
      'It runs after another approver has also approved it.',
    ]],
    ['who has approved', { approvals_needed: 3, approvals: 1, context: { ...CONTEXT, approved_by: [{ status: 'approved', approver: 'human:bob', decided_at: at(-5), reason: null }] } }, {}, [
      'Three people must approve. 1 of 3: you. One denial ends it.',
      '{data-is=waiting}(waiting)You have approved it',
      'It runs after another approver has also approved it.',
    ]],
    ['who has no scope', {}, { may_approve: ['book'] }, [
      '{data-is=refused}(refused)You may not decide about this',
      'Somebody with an approver scope for hold who is not in the chain must decide.',
    ]],
    ['who has not the scope of the tier', { approver_scope: 'tier.gold', approvals_needed: 2 }, { tiers: ['tier.silver'] }, [
      'Two people must approve. Nobody has yet. One denial ends it. At this cost they need tier.gold.',
      '{data-is=refused}(refused)You may not decide about this',
      'Somebody with the scope tier.gold, for hold who is not in the chain must decide.',
    ]],
    ['nobody: the tier is theirs', { approver_scope: 'tier.gold' }, { may_approve: [], tiers: ['tier.gold'] }, [
      'At this cost they need tier.gold.',
      '{data-kind=deny}Deny… R',
      '{data-kind=quiet}Send back with a question… Q',
      '12.50 EUR · can be undone13:59 left',
    ]],
  ])('%s', async (name, more, person, expected) => {
    const screen = await openPage('/approvals/apr_hold', { ...served(asks('hold', more)), 'GET /-/console/api/me': { ...ME, person: { ...ME.person, ...person } } })
    const said = screen.lines('.decide').slice(4).filter((line) => !/Note|maxlength|fieldset|type=radio|Once|session|How|policy/iu.test(line))
    expect([...said, ...screen.lines('.decide-bar').slice(0, 1)]).toEqual(expected)
    await screen.press('a')
    expect(screen.changes()).toHaveLength(name.startsWith('nobody') ? 1 : 0)
  }) // prettier-ignore

  it('but who gave the authority may withdraw it', async () => {
    const own = asks('hold', { requester: { subject: 'human:bob', root_principal: 'human:bob', token_id: 't' } })
    const screen = await openPage('/approvals/apr_hold', served(own))
    screen.answer({ [`POST ${API}apr_hold/withdraw`]: failure('rate_limited', 'Too often.') })
    await screen.click('Withdraw request')
    expect(screen.lines('.decide .error-text')).toEqual(['{role=alert}Too often.'])
    screen.answer({ [`POST ${API}apr_hold/withdraw`]: {}, [`GET ${API}apr_hold`]: { ...own, status: 'withdrawn', decided_at: at(0) } }) // prettier-ignore
    await screen.click('Withdraw request')
    expect(screen.lines('aside')[2]).toBe('{role=status data-is=neutral}(undo)bob withdrew it at 21:00')
  })
})
