import { describe, expect, it } from 'vitest'
import { asks } from './requests.js'
import { at, failure, ME, NOTHING, openPage, type Answers } from './screen.js'

const PENDING = 'GET /-/console/api/approvals?status=pending&limit=200'
const DECIDED = 'GET /-/console/api/approvals?limit=50'

/** Waiting, in no order. */
const waiting = (...requests: readonly object[]): Answers => ({ [PENDING]: { approval_requests: requests } })
const BOOK = asks('book', { approval_request_id: 'apr_book', expires_at: at(600) })
const HOLD = asks('hold', { approval_request_id: 'apr_hold', expires_at: at(120), preview: { summary: 'Hold 1A' } })
const SAME = asks('hold', { approval_request_id: 'apr_same', expires_at: at(7200), preview: { summary: 'Hold 1B' }, checked_cost: { currency: 'EUR', amount: 5 } }) // prettier-ignore
const OTHERS = asks('hold', { approval_request_id: 'apr_others', expires_at: at(9000), preview: { summary: 'Hold 1C' }, requester: { subject: 'agent:mole', root_principal: 'human:ana', token_id: 't' } }) // prettier-ignore

describe('the inbox', () => {
  it('has what waits for this person, what ends first on top, and what cannot be undone without a check box', async () => {
    const other = asks('pay', { approval_request_id: 'apr_pay' })
    const ended = asks('hold', { approval_request_id: 'apr_ended', expires_at: at(0) })
    const screen = await openPage('/', waiting(SAME, BOOK, other, ended, HOLD))
    expect(screen.lines()).toMatchInlineSnapshot(`
      [
        "3 requests waiting",
        "The first ends in 2 min. A request expires if nobody decides.",
        "{role=group aria-label=Show}[{href=/-/console/approvals aria-current=true}Waiting][{href=/-/console/approvals/decided}Decided]",
        "{role=status}3 requests waiting",
        "{aria-label=Waiting, those that end first on top}",
        "Hold",
        "agent:desk, for ana2 requests, 17.50 EUR in all{data-is=undo}(undo)Can be undone for 2 h, by release",
        "{type=checkbox}",
        "Select: Hold 1A",
        "[{href=/-/console/approvals/apr_hold}Hold 1A]",
        "12.50 EUR",
        "checked cost",
        "2 min left",
        "{title=21:02 (12:02 UTC) datetime=2026-03-01T12:02:00.000Z}until 21:0212:02 UTC",
        "{type=checkbox}",
        "Select: Hold 1B",
        "[{href=/-/console/approvals/apr_same}Hold 1B]",
        "5.00 EUR",
        "checked cost",
        "2 h left",
        "{title=23:00 (14:00 UTC) datetime=2026-03-01T14:00:00.000Z}until 23:0014:00 UTC",
        "[{href=/-/console/approvals/apr_book}Book seat]",
        "agent:desk, for ana",
        "{data-is=irreversible}(irreversible)Cannot be undone",
        "nothing takes it back",
        "12.50 EUR",
        "checked cost",
        "10 min left",
        "{title=21:10 (12:10 UTC) datetime=2026-03-01T12:10:00.000Z}until 21:1012:10 UTC",
        "J K moveEnter openX selectA approveR deny? all keys",
      ]
    `)
    expect(screen.lines('.nav')).toMatchInlineSnapshot(`
      [
        "{aria-label=Console}[{href=/-/console/approvals aria-current=page}(inbox)Approvals4 waiting][{href=/-/console/activity}(activity)Activity][{href=/-/console/capabilities}(capabilities)Capabilities][{href=/-/console/overview}(overview)Overview]",
      ]
    `)
  })

  it('says of a request who asks for whom, in which task, how many have approved, and what is not known', async () => {
    const request = asks('hold', { task_id: 'trip-7', approvals_needed: 2, approvals: 1, expires_at: at(86_400 * 3) })
    const { checked_cost: _, ...unknown } = asks('gone', { requester: { subject: 'human:ana', root_principal: 'human:ana', token_id: 't' } }) // prettier-ignore
    const person = { ...ME.person, may_approve: ['hold', 'gone'] }
    const screen = await openPage('/approvals', {
      ...waiting(request, unknown),
      'GET /-/console/api/me': { ...ME, person },
    })
    expect(screen.lines('.inbox')).toMatchInlineSnapshot(`
      [
        "{aria-label=Waiting, those that end first on top}",
        "{type=checkbox}",
        "Select: Gone seat",
        "[{href=/-/console/approvals/apr_gone}Gone seat]",
        "ana",
        "{data-is=neutral}(write)Effect unknown",
        "Cost unknown",
        "none was checked",
        "14 min left",
        "{title=21:14 (12:14 UTC) datetime=2026-03-01T12:14:00.000Z}until 21:1412:14 UTC",
        "{type=checkbox}",
        "Select: Hold seat",
        "[{href=/-/console/approvals/apr_hold}Hold seat]",
        "agent:desk, for ana · task trip-7 · 1 of 2 approved",
        "{data-is=undo}(undo)Can be undone",
        "for 2 h, by release",
        "12.50 EUR",
        "checked cost",
        "3 d left",
        "{title=4 Mar, 21:00 (12:00 UTC) datetime=2026-03-04T12:00:00.000Z}until 4 Mar, 21:0012:00 UTC",
      ]
    `)
  })

  it('lets equal requests be chosen together, and approves them once each', async () => {
    const screen = await openPage('/', waiting(HOLD, SAME, OTHERS))
    await screen.click('Select: Hold 1A')
    expect(screen.lines('.inbox').filter((line) => line.includes('checkbox'))).toMatchInlineSnapshot(`
      [
        "{type=checkbox checked}",
        "{type=checkbox}",
        "{type=checkbox disabled}",
      ]
    `)
    expect(screen.lines('.batch')).toMatchInlineSnapshot(`
      [
        "{role=region aria-label=Selected requests}",
        "1 request selectedSame capability, same requester. Each request gets its own audit entry.",
        "{data-kind=deny}Deny 1…",
        "{data-kind=approve}Approve 1, once each…",
      ]
    `)
    await screen.send('li[data-request=apr_same] input', 'change')
    await screen.press('a')
    expect(screen.lines('dialog')).toMatchInlineSnapshot(`
      [
        "{role=alertdialog}",
        "Approve 2, once each?",
        "Hold 1A 12.50 EUR",
        "Hold 1B 5.00 EUR",
        "{data-kind=approve autofocus=true}Approve 2 Enter",
        "Go back Esc",
      ]
    `)
    screen.answer({
      'POST /-/console/api/approvals/apr_hold/approve': {},
      'POST /-/console/api/approvals/apr_same/approve': failure('approval_request_closed', 'Somebody was first.'),
      ...waiting(SAME),
    })
    await screen.click('Approve 2 Enter')
    expect(screen.changes()).toEqual([])
    await screen.pass(400)
    await screen.click('Approve 2 Enter')
    expect(screen.changes()).toEqual([
      { request: 'POST /-/console/api/approvals/apr_hold/approve', csrf: 'csrf-of-bob', body: { grant_type: 'one_time' } },
      { request: 'POST /-/console/api/approvals/apr_same/approve', csrf: 'csrf-of-bob', body: { grant_type: 'one_time' } },
    ]) // prettier-ignore
    expect(screen.lines('.notice')).toMatchInlineSnapshot(`
      [
        "{role=alert data-is=failed}(failed)Not all were decided",
        "Hold 1B: Somebody was first.",
      ]
    `)
    expect(screen.lines('.batch')[0]).toMatchInlineSnapshot(`"{role=region aria-label=Selected requests}"`)
  })

  it.each([
    ['the same capability for the same two', {}, false],
    ['another capability', { capability: 'pay' }, true],
    ['another agent', { requester: { subject: 'agent:mole', root_principal: 'human:ana', token_id: 't' } }, true],
    ['another person behind the agent', { requester: { subject: 'agent:desk', root_principal: 'human:cy', token_id: 't' } }, true],
  ])('lets be chosen with a request one of %s, or not', async (_, more, isDisabled) => {
    const person = { ...ME.person, may_approve: ['hold', 'pay'] }
    const screen = await openPage('/', { ...waiting(HOLD, { ...SAME, ...more }), 'GET /-/console/api/me': { ...ME, person } })
    await screen.click('Select: Hold 1A')
    expect(screen.lines('li[data-request=apr_same] label')[0]).toBe(`{type=checkbox${isDisabled ? ' disabled' : ''}}`)
  }) // prettier-ignore

  it('denies what was chosen with one reason, and forgets the choice once all went', async () => {
    const screen = await openPage('/', waiting(HOLD, SAME))
    await screen.focus('Hold 1B')
    await screen.press('x')
    await screen.press('k')
    await screen.press('X')
    await screen.press('R')
    screen.answer({ 'POST /-/console/api/approvals/apr_hold/deny': {}, 'POST /-/console/api/approvals/apr_same/deny': {} }) // prettier-ignore
    await screen.send('dialog form', 'keydown', { key: '3' })
    await screen.send('dialog form', 'keydown', { key: 'Enter' })
    expect(screen.changes().map(({ request, body }) => [request.slice(30), body])).toEqual([
      ['apr_hold/deny', { reason: 'Not now' }],
      ['apr_same/deny', { reason: 'Not now' }],
    ])
    expect(screen.lines('.batch')).toEqual([])
  })

  it('sends who was signed in too long ago through the sign-in, and back', async () => {
    const screen = await openPage('/approvals', waiting(HOLD))
    await screen.click('Select: Hold 1A')
    await screen.click('Approve 1')
    screen.answer({ 'POST /-/console/api/approvals/apr_hold/approve': failure('authentication_required', 'Sign in.') })
    await screen.pass(400)
    await screen.click('Approve 1 Enter')
    expect(screen.left).toEqual(['assign /-/console/sign-in?again=1&page=%2F-%2Fconsole%2Fapprovals'])
  })

  it('moves by J and K from end to end, and opens with A', async () => {
    const screen = await openPage('/', waiting(HOLD, BOOK, SAME))
    const after: string[] = []
    for (const key of ['k', 'k', 'K', 'k', 'j', 'J', 'j']) {
      await screen.press(key)
      after.push(screen.window.document.activeElement?.closest('li')?.getAttribute('data-request') ?? '')
    }
    expect(after).toEqual(['apr_book', 'apr_same', 'apr_hold', 'apr_hold', 'apr_same', 'apr_book', 'apr_book'])
    await screen.press('a')
    expect(screen.path()).toBe('/approvals/apr_book')
  })

  it('opens what ends first where none has the focus', async () => {
    const screen = await openPage('/', waiting(HOLD, BOOK))
    await screen.press('r')
    expect(screen.path()).toBe('/approvals/apr_hold')
  })

  it('has single keys only while nobody types or holds a modifier, and until they are turned off', async () => {
    const screen = await openPage('/', waiting(HOLD))
    for (const more of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { repeat: true }])
      await screen.press('?', more)
    expect(screen.lines('dialog')).toEqual([])
    await screen.press('?')
    expect(screen.lines('dialog')).toMatchInlineSnapshot(`
      [
        "Keys",
        "J",
        "next request",
        "K",
        "previous request",
        "Enter",
        "open, confirm",
        "X",
        "select",
        "A",
        "approve",
        "Q",
        "send back with a question",
        "R",
        "deny",
        "1 to 4",
        "pick a reason to deny",
        "Esc",
        "go back",
        "?",
        "this list",
        "Inactive while you type. Turn them off in the menu under your name.",
        "Go back",
      ]
    `)
    await screen.press('?')
    await screen.send('dialog', 'cancel')
    expect(screen.lines('dialog')).toEqual([])
    await screen.send('.me input', 'change')
    await screen.press('?')
    expect([screen.lines('dialog'), screen.window.localStorage.getItem('console-keys-off')]).toEqual([[], '1'])
    await screen.send('.me input', 'change')
    expect(screen.window.localStorage.getItem('console-keys-off')).toBeNull()
  })

  it.each(['input', 'textarea', 'select'])('leaves keys to who types in a field: %s', async (tag) => {
    const screen = await openPage('/', waiting(HOLD))
    const field = screen.window.document.createElement(tag)
    screen.window.document.querySelector('#main')!.append(field)
    field.focus()
    await screen.press('?')
    expect(screen.lines('dialog')).toEqual([])
  })

  it('takes a key for itself where it does something, and no other', async () => {
    const screen = await openPage('/', waiting(HOLD))
    const taken: boolean[] = []
    for (const key of ['j', 'q']) {
      const event = new screen.window.KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
      screen.window.document.body.dispatchEvent(event)
      taken.push(event.defaultPrevented)
    }
    expect(taken).toEqual([true, false])
  })

  it('has in the title of its tab how many wait, also when that changes', async () => {
    const screen = await openPage('/', waiting(HOLD, SAME))
    await expect.poll(screen.title).toBe('2 requests waiting · Travel')
    screen.answer(waiting(HOLD))
    await screen.pass(2000)
    await expect.poll(screen.title).toBe('1 request waiting · Travel')
  })

  it('is read again every two seconds, every 15 where nobody looks, and says when it could not be', async () => {
    const screen = await openPage('/', waiting(HOLD))
    const reads = () => screen.sent.filter(({ request }) => request === PENDING).length
    await screen.pass(1700)
    expect(reads()).toBe(1)
    screen.answer({ [PENDING]: NOTHING })
    await screen.pass(300)
    expect([reads(), screen.lines('.banner'), screen.lines('.link-state')]).toMatchInlineSnapshot(`
      [
        2,
        [
          "{role=status data-is=waiting}(waiting)No connection.This page may be out of date.",
        ],
        [
          "{role=status}Not connected",
        ],
      ]
    `)
    expect(screen.lines('h1')).toEqual(['1 request waiting'])
    screen.answer({ [PENDING]: failure('authentication_required', 'Your session has ended.') })
    await screen.pass(2000)
    expect(screen.lines('.banner')).toMatchInlineSnapshot(`
      [
        "{role=status data-is=waiting}(waiting)Your session has ended.This page may be out of date.",
        "Sign in again",
      ]
    `)
    Object.defineProperty(screen.window.document, 'hidden', { value: true })
    await screen.pass(2000)
    const before = reads()
    await screen.pass(13_000)
    expect(reads()).toBe(before)
    await screen.pass(2000)
    expect(reads()).toBe(before + 1)
    await screen.click('Sign in again')
    expect(screen.left).toEqual(['assign /-/console/sign-in?again=1&page=%2F-%2Fconsole%2F'])
  })
})

describe('what was decided', () => {
  it('stands with who decided, why and after how long, newest first, page by page', async () => {
    const decided = (status: string, more: object) => asks('hold', { approval_request_id: `apr_${status}`, status, created_at: at(-3600), expires_at: at(-2700), ...more }) // prettier-ignore
    const screen = await openPage('/approvals/decided', {
      [DECIDED]: {
        approval_requests: [
          decided('approved', { approver: 'human:bob', decided_at: at(-3500), reason: 'Fine\u202E' }),
          decided('denied', { approver: 'human:cy', decided_at: at(-86_400) }),
          asks('hold'),
        ],
        next_cursor: 'c/1',
      },
    })
    expect(screen.lines()).toMatchInlineSnapshot(`
      [
        "Decided",
        "Decided requests that you may see, the latest decision first.",
        "{role=group aria-label=Show}[{href=/-/console/approvals}Waiting][{href=/-/console/approvals/decided aria-current=true}Decided]",
        "Decision | What | By | When |",
        "{data-is=approve}(done)Approved | [{href=/-/console/approvals/apr_approved}Hold seat]agent:desk, for ana“Fine\\u{202E}” | youafter 1 min | {title=20:01 (11:01 UTC) datetime=2026-03-01T11:01:40.000Z}20:01 |",
        "{data-is=denied}(denied)Denied | [{href=/-/console/approvals/apr_denied}Hold seat]agent:desk, for ana | cyafter 0 s | {title=28 Feb, 21:00 (12:00 UTC) datetime=2026-02-28T12:00:00.000Z}28 Feb, 21:00 |",
        "Show earlier ones",
      ]
    `)
    screen.answer({ 'GET /-/console/api/approvals?limit=50&cursor=c%2F1': { approval_requests: [decided('expired', {}), decided('withdrawn', { decided_at: at(-3000) })] } }) // prettier-ignore
    await screen.click('Show earlier ones')
    expect(screen.lines('tbody').slice(2)).toMatchInlineSnapshot(`
      [
        "{data-is=approve}(done)Approved | [{href=/-/console/approvals/apr_approved}Hold seat]agent:desk, for ana“Fine\\u{202E}” | youafter 1 min | {title=20:01 (11:01 UTC) datetime=2026-03-01T11:01:40.000Z}20:01 |",
        "{data-is=denied}(denied)Denied | [{href=/-/console/approvals/apr_denied}Hold seat]agent:desk, for ana | cyafter 0 s | {title=28 Feb, 21:00 (12:00 UTC) datetime=2026-02-28T12:00:00.000Z}28 Feb, 21:00 |",
      ]
    `)
    expect(screen.lines('.pager')).toEqual([])
  })

  it('is nothing at first, and what could not be read is said', async () => {
    const screen = await openPage('/approvals/decided/', { [DECIDED]: { approval_requests: [] } })
    expect(screen.lines('.empty')).toMatchInlineSnapshot(`
      [
        "(inbox)",
        "No decisions yet",
        "Decisions appear here, with the approver and the reason.",
      ]
    `)
    const other = await openPage('/approvals/decided', { [DECIDED]: failure('rate_limited', 'Too often.') })
    expect(other.lines('.notice')).toEqual(['{data-is=failed}(failed)The list could not be read', 'Too often.'])
  })
})

describe('around every page', () => {
  it('stand those places that the roles of the person open', async () => {
    const person = { ...ME.person, roles: ['operator'], may_approve: [] }
    const screen = await openPage('/tokens', { 'GET /-/console/api/me': { ...ME, person } })
    expect(screen.lines('header')).toMatchInlineSnapshot(`
      [
        "Traveltravel.example",
        "{aria-label=Console}[{href=/-/console/approvals}(inbox)Approvals][{href=/-/console/activity}(activity)Activity][{href=/-/console/tokens aria-current=page}(tokens)Tokens][{href=/-/console/capabilities}(capabilities)Capabilities][{href=/-/console/overview}(overview)Overview]",
        "{role=status}(live)Live",
        "bob",
        "Cannot approve requests",
        "{type=checkbox checked}",
        "Single keys",
        "Sign out",
      ]
    `)
    screen.answer({ 'POST /-/console/api/sign-out': {} })
    await screen.click('Sign out')
    expect([screen.changes(), screen.left]).toEqual([
      [{ request: 'POST /-/console/api/sign-out', csrf: 'csrf-of-bob', body: {} }],
      ['replace /-/console/'],
    ])
  })

  it('an address that is none is said to be none', async () => {
    for (const path of ['/nowhere', '/activity/inv-1', '/approvals/a/b']) {
      const screen = await openPage(path)
      expect(screen.lines('.empty')).toEqual([
        'Page not found',
        'The link may be incomplete.',
        '[{href=/-/console/approvals}Go to approvals]',
      ])
      await expect.poll(screen.title).toBe('Page not found · Travel')
    }
  })

  it('links of the console show another page without a load; others and new windows are the browser’s', async () => {
    const screen = await openPage('/')
    const stays = { path: screen.path() }
    const more = [{ button: 1 }, { metaKey: true }, { ctrlKey: true }, { shiftKey: true }, { altKey: true }]
    const link = screen.window.document.querySelector('.tabbar a')!
    screen.window.document.addEventListener('click', (event) => {
      stays.path += event.defaultPrevented ? ' ours' : ' theirs'
      event.preventDefault()
    })
    for (const each of more) await screen.click('Activity', each)
    link.setAttribute('href', 'https://elsewhere.example/-/console/activity')
    await screen.click('Approvals')
    const own = [...screen.window.document.querySelectorAll('.tabbar a')][1]!
    for (const href of ['/svc/manifest', '/-/console/activity#main']) {
      own.setAttribute('href', href)
      await screen.click('Activity')
    }
    own.setAttribute('href', '/-/console/overview?hours=1')
    own.setAttribute('download', '')
    await screen.click('Activity')
    own.removeAttribute('download')
    await screen.click('Activity')
    expect([stays.path, screen.path()]).toMatchInlineSnapshot(`
      [
        "/ theirs theirs theirs theirs theirs theirs theirs theirs theirs ours",
        "/overview?hours=1",
      ]
    `)
  })

  it('another page begins at its top, with the focus on it, for who reads with a screen reader', async () => {
    const screen = await openPage('/')
    await screen.click('Overview')
    expect(screen.window.document.activeElement?.id).toBe('main')
  })

  it('the button of the browser leads back to the page before, and to its filters', async () => {
    const screen = await openPage('/overview', { 'GET /-/console/api/overview?*': { bars: [], spent: [], decided_in_ms: [], since: 0, until: 0 } }) // prettier-ignore
    const back = async (path: string) => {
      screen.window.history.replaceState(null, '', `/-/console${path}`)
      screen.window.dispatchEvent(new screen.window.Event('popstate'))
      await screen.pass()
    }
    await back('/overview?hours=1')
    expect(screen.sent.at(-1)?.request).toBe('GET /-/console/api/overview?hours=1')
    await back('/approvals')
    expect(screen.lines('h1')).toEqual(['No requests waiting'])
  })

  it('whose session has ended comes back after signing in to what was shown, filters and all', async () => {
    const ended = failure('authentication_required', 'Your session has ended.')
    const screen = await openPage('/activity?outcome=failed&when=7d', { [PENDING]: ended })
    await screen.click('Sign in again')
    expect(screen.left).toEqual(['assign /-/console/sign-in?again=1&page=%2F-%2Fconsole%2Factivity%3Foutcome%3Dfailed%26when%3D7d']) // prettier-ignore
  })

  it('a service that does not answer is said so', async () => {
    const screen = await openPage('/', { 'GET /-/console/api/me': NOTHING })
    expect(screen.lines()).toEqual([
      'The service does not answer',
      'Nothing was changed. Load the page again in a moment.',
    ])
  })
})
