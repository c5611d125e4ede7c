import { describe, expect, it, vi } from 'vitest'
import type { ListedToken } from '../../src/protocol/operator.js'
import { at, failure, ME, openPage, type Answers } from './screen.js'

const OPERATOR: Answers = { 'GET /-/console/api/me': { ...ME, person: { ...ME.person, roles: ['operator'] } } }
const LIVE = 'GET /-/console/api/tokens?state=live&limit=200'
const REVOKE = 'POST /-/console/api/tokens/revoke'

const token = (token_id: string, more: Partial<ListedToken> = {}): ListedToken => ({
  token_id,
  root_principal: 'human:ana',
  subject: 'agent:desk',
  scope: ['a.read', 'a.write'],
  depth: 0,
  state: 'live',
  issued_at: at(-100),
  expires_at: at(7200),
  ...more,
})
const eur = (max_amount: number, mode?: 'cumulative') =>
  ({ currency: 'EUR', max_amount, ...(mode && { mode }) }) as never
const ROOT = token('root', { budget: eur(100, 'cumulative'), spent: 80 })
const CHILD = token('child', { parent_token_id: 'root', depth: 1, subject: 'human:cy', scope: ['a.read'], capability: 'book', task_id: 'trip-7', budget: eur(50, 'cumulative'), spent: 39.5, expires_at: at(3600) }) // prettier-ignore

describe('the page of tokens', () => {
  it('says who gave what to whom, what each step took away, and what is spent', async () => {
    const tokens = [
      CHILD,
      ROOT,
      token('same', { parent_token_id: 'root', depth: 1, budget: eur(100, 'cumulative'), spent: 0, issued_at: at(-50) }),
      token('call', { parent_token_id: 'root', depth: 1, budget: eur(100), issued_at: at(-40) }),
      token('bare', { parent_token_id: 'call', depth: 2, issued_at: at(-30) }),
      token('first', { parent_token_id: 'bare', depth: 3, budget: eur(7, 'cumulative'), spent: 9, issued_at: at(-20) }),
      token('lone', { parent_token_id: 'gone', depth: 1, capability: 'hold', task_id: 'task', budget: eur(9), state: 'revoked', issued_at: at(-300) }),
      token('old', { state: 'expired', budget: eur(0, 'cumulative'), spent: 0, expires_at: at(-5), issued_at: at(-400) }),
    ] // prettier-ignore
    const screen = await openPage('/tokens', { ...OPERATOR, [LIVE]: { tokens, next_cursor: 'c1' } })
    expect(screen.lines()).toMatchInlineSnapshot(`
      [
        "Tokens",
        "Delegated tokens. A child never has more than its parent.",
        "{role=group aria-label=Show}[{href=/-/console/tokens aria-current=true}Active][{href=/-/console/tokens?state=revoked}Revoked][{href=/-/console/tokens?state=expired}Expired]",
        "{aria-label=Filters}",
        "Person or agent",
        "{type=search placeholder=agent:desk maxlength=256}",
        "Capability",
        "{type=search placeholder=Any maxlength=256}",
        "Bought with API key",
        "{type=search placeholder=Any maxlength=256}",
        "{role=status}",
        "{aria-label=Delegations}",
        "{ended}",
        "{data-is=neutral}(agent)agent:desk{data-is=neutral}(expired)Expired",
        "Bought by ana · a.read, a.write · until 20:59 (11:59 UTC)",
        "{role=img aria-label=0.00 of 0.00 EUR spent}",
        "{width=100 height=10 warn}",
        "0.00 of 0.00 EUR",
        "{ended}",
        "{data-is=neutral}(agent)agent:desk{data-is=neutral}(refused)Revoked",
        "Below another token of ana · a.read, a.write · only hold · 9.00 EUR per call · task task · until 23:00 (14:00 UTC)",
        "At most 9.00 EUR per call",
        "{data-is=neutral}(agent)agent:desk",
        "Bought by ana · a.read, a.write · until 23:00 (14:00 UTC)",
        "{data-kind=quiet aria-expanded=true}Fold 5 below it",
        "{role=img aria-label=80.00 of 100.00 EUR spent}",
        "{width=80 height=10 warn}",
        "80.00 of 100.00 EUR",
        "Revoke… agent:desk",
        "{data-is=neutral}(person)cy",
        "until 22:00 (13:00 UTC)",
        "{aria-label=What this step narrowed}",
        "Narrowed:",
        "only book",
        "only task trip-7",
        "a.write",
        "100.00 →to 50.00 EUR",
        "23:00 →to 22:00",
        "{role=img aria-label=39.50 of 50.00 EUR spent}",
        "{width=79 height=10 spent}",
        "39.50 of 50.00 EUR",
        "Revoke… cy",
        "{data-is=neutral}(agent)agent:desk",
        "until 23:00 (14:00 UTC)",
        "Same rights as the parent.",
        "{role=img aria-label=0.00 of 100.00 EUR spent}",
        "{width=0 height=10 spent}",
        "0.00 of 100.00 EUR",
        "Revoke… agent:desk",
        "{data-is=neutral}(agent)agent:desk",
        "until 23:00 (14:00 UTC)",
        "{aria-label=What this step narrowed}",
        "Narrowed:",
        "100.00 →to 100.00 EUR per call",
        "{data-kind=quiet aria-expanded=true}Fold 2 below it",
        "At most 100.00 EUR per call",
        "Revoke… agent:desk",
        "{data-is=neutral}(agent)agent:desk",
        "until 23:00 (14:00 UTC)",
        "Same rights as the parent.",
        "{data-kind=quiet aria-expanded=true}Fold 1 below it",
        "No budget",
        "Revoke… agent:desk",
        "{data-is=neutral}(agent)agent:desk",
        "until 23:00 (14:00 UTC)",
        "{aria-label=What this step narrowed}",
        "Narrowed:",
        "up to 7.00 EUR",
        "{role=img aria-label=9.00 of 7.00 EUR spent}",
        "{width=100 height=10 warn}",
        "9.00 of 7.00 EUR",
        "Revoke… agent:desk",
        "3 trees · 8 tokens",
        "Show more",
      ]
    `)
    await screen.click('Fold 5')
    expect(screen.lines('.tree').filter((line) => /Fold|Show|human:cy|cy/u.test(line))).toMatchInlineSnapshot(`
      [
        "{data-kind=quiet aria-expanded=false}Show 5 below it",
      ]
    `)
    screen.answer({ 'GET /-/console/api/tokens?state=live&limit=200&cursor=c1': { tokens: [token('more')] } })
    await screen.click('Show more')
    expect(screen.lines('.pager')).toEqual(['4 trees · 9 tokens'])
  })

  it('says of a step that kept all that it narrowed nothing', async () => {
    const all = { capability: 'book', task_id: 'trip-7', budget: eur(100, 'cumulative'), spent: 0 }
    const tokens = [token('root', all), token('child', { ...all, parent_token_id: 'root', depth: 1 })]
    const screen = await openPage('/tokens', { ...OPERATOR, [LIVE]: { tokens } })
    expect(screen.lines('.tree ul').filter((line) => /same rights/iu.test(line))).toEqual([
      'Same rights as the parent.',
    ])
  })

  it('asks for what the filters say: people buy, agents hold', async () => {
    const screen = await openPage('/tokens?state=revoked&who=human:ana', { ...OPERATOR, 'GET /-/console/api/tokens?*': { tokens: [] } })
    await screen.fill('Person or agent', 'agent:desk')
    await screen.leave('Person or agent')
    await screen.fill('Bought with API key', 'k1')
    await screen.leave('Bought with API key')
    expect(screen.lines('.page-head .seg')).toMatchInlineSnapshot(`
      [
        "{role=group aria-label=Show}[{href=/-/console/tokens?who=agent%3Adesk&api_key=k1}Active][{href=/-/console/tokens?state=revoked&who=agent%3Adesk&api_key=k1 aria-current=true}Revoked][{href=/-/console/tokens?state=expired&who=agent%3Adesk&api_key=k1}Expired]",
      ]
    `)
    expect(screen.lines('.empty')).toEqual(['(tokens)', 'No tokens', 'No tokens match these filters.'])
    await screen.click('Active')
    await screen.fill('Person or agent', 'oidc:x:y')
    await screen.leave('Person or agent')
    await screen.fill('Capability', 'book')
    await screen.send('#filter-capability', 'keydown', { key: 'a' })
    await screen.send('#filter-capability', 'keydown', { key: 'Enter' })
    await screen.fill('Person or agent', '')
    await screen.leave('Person or agent')
    expect(screen.path()).toBe('/tokens?api_key=k1&capability=book')
    expect(screen.sent.flatMap(({ request }) => request.split('/tokens?')[1] ?? [])).toMatchInlineSnapshot(`
      [
        "principal=human%3Aana&state=revoked&limit=200",
        "subject=agent%3Adesk&state=revoked&limit=200",
        "subject=agent%3Adesk&api_key=k1&state=revoked&limit=200",
        "subject=agent%3Adesk&api_key=k1&state=live&limit=200",
        "principal=oidc%3Ax%3Ay&api_key=k1&state=live&limit=200",
        "principal=oidc%3Ax%3Ay&capability=book&api_key=k1&state=live&limit=200",
        "capability=book&api_key=k1&state=live&limit=200",
      ]
    `)
  }) // prettier-ignore

  it('asks anew where a filter is cleared by the cross in its field', async () => {
    const screen = await openPage('/tokens?who=a&capability=book', { ...OPERATOR, 'GET /-/console/api/tokens?*': { tokens: [] } }) // prettier-ignore
    await screen.fill('Person or agent', '')
    await screen.send('#filter-who', 'search')
    expect(screen.path()).toBe('/tokens?capability=book')
  })

  it('says no more that it could not be read once it was', async () => {
    const screen = await openPage('/tokens', { ...OPERATOR, [LIVE]: failure('service_unavailable', 'Later.') })
    expect(screen.lines('.notice')).toContain('Later.')
    screen.answer({ 'GET /-/console/api/tokens?state=revoked&limit=200': { tokens: [] } })
    await screen.click('Revoked')
    expect(screen.lines('.notice')).toEqual([])
  })

  it('asks nothing anew for a filter that is left as it was', async () => {
    const screen = await openPage('/tokens?who=a', { ...OPERATOR, 'GET /-/console/api/tokens?*': { tokens: [] } })
    const put = vi.spyOn(screen.window.history, 'replaceState')
    await screen.fill('Person or agent', ' a ')
    await screen.leave('Person or agent')
    expect(put).not.toHaveBeenCalled()
  })

  it.each([
    ['insufficient_authority', 'refused'],
    ['rate_limited', 'failed'],
  ])('says that they could not be read: %s is %s', async (type, is) => {
    const screen = await openPage('/tokens', { [LIVE]: failure(type, 'Because.') })
    expect(screen.lines('.notice')).toEqual([`{data-is=${is}}(${is})The tokens could not be read`, 'Because.'])
  })

  it('ends a token and all below it that still live, with a reason, once', async () => {
    const below = [...Array(9).keys()].map((n) => token(`t${n}`, { parent_token_id: 'child', depth: 2, subject: `agent:n${n}`, issued_at: at(n) })) // prettier-ignore
    const ended = token('ended', { parent_token_id: 'child', depth: 2, state: 'expired' })
    const screen = await openPage('/tokens', { ...OPERATOR, [LIVE]: { tokens: [ROOT, CHILD, ...below, ended] } })
    await screen.click('Revoke… cy')
    expect(screen.lines('dialog')).toMatchInlineSnapshot(`
      [
        "Revoke cy and 9 below it?",
        "The tokens stop working at once, permanently. Running calls finish. You can issue new tokens at any time.",
        "Ends",
        "cy, agent:n0, agent:n1, agent:n2, agent:n3, agent:n4, agent:n5, agent:n6 and 2 more, and whatever was given on from it that is not listed here",
        "Stays",
        "the token of agent:desk",
        "Reason",
        "{maxlength=1000 autofocus}",
        "{data-kind=deny-full aria-disabled=false}Revoke 10 tokens",
        "{type=button}Go back Esc",
      ]
    `)
    await screen.submit()
    expect([screen.lines('dialog .error-text'), screen.changes()]).toEqual([['{role=alert}Enter a reason. It is recorded in the audit trail.'], []]) // prettier-ignore
    await screen.fill('Reason', ' No longer needed ')
    screen.answer({ [REVOKE]: failure('authentication_required', 'Sign in again.') })
    await screen.submit()
    expect(screen.lines('dialog .notice')).toEqual(['{role=alert data-is=failed}(failed)Nothing was revoked', 'Sign in again.', '{type=button}Sign in again']) // prettier-ignore
    await screen.click('Sign in again')
    expect(screen.left).toEqual(['assign /-/console/sign-in?again=1&page=%2F-%2Fconsole%2Ftokens'])
    screen.answer({ [REVOKE]: {}, [LIVE]: { tokens: [ROOT] } })
    await screen.submit()
    expect(screen.changes().at(-1)).toEqual({ request: REVOKE, csrf: 'csrf-of-bob', body: { token_id: 'child', reason: 'No longer needed' } }) // prettier-ignore
    expect([screen.lines('dialog'), screen.lines('.pager'), screen.lines('main p[role=status]')])
      .toMatchInlineSnapshot(`
      [
        [],
        [
          "1 tree · 1 token",
        ],
        [
          "{role=status}Revoked.",
        ],
      ]
    `)
  })

  it('names eight that end, and counts those beyond', async () => {
    const ending = async (count: number) => {
      const below = [...Array(count).keys()].map((n) => token(`t${n}`, { parent_token_id: 'root', depth: 1, subject: `agent:n${n}`, issued_at: at(n) })) // prettier-ignore
      const screen = await openPage('/tokens', { ...OPERATOR, [LIVE]: { tokens: [ROOT, ...below] } })
      await screen.click('Revoke… agent:desk')
      return screen.lines('dialog dd')[0]
    }
    expect([await ending(7), await ending(8)]).toEqual([
      'agent:desk, agent:n0, agent:n1, agent:n2, agent:n3, agent:n4, agent:n5, agent:n6, and whatever was given on from it that is not listed here',
      'agent:desk, agent:n0, agent:n1, agent:n2, agent:n3, agent:n4, agent:n5, agent:n6 and 1 more, and whatever was given on from it that is not listed here',
    ])
  })

  it('of one alone says so, and is not sent twice', async () => {
    const screen = await openPage('/tokens', { ...OPERATOR, [LIVE]: { tokens: [token('one')] } })
    await screen.click('Revoke… agent:desk')
    expect(screen.lines('dialog').filter((line) => /^Revoke|deny-full/u.test(line))).toMatchInlineSnapshot(`
      [
        "Revoke agent:desk?",
        "{data-kind=deny-full aria-disabled=false}Revoke this token",
      ]
    `)
    await screen.fill('Reason', 'Lost')
    screen.answer({ [REVOKE]: new Promise(() => undefined) as never })
    await screen.submit()
    await screen.submit()
    expect(screen.changes()).toHaveLength(1)
    expect(screen.lines('dialog').at(-2)).toBe('{data-kind=deny-full aria-disabled=true}Revoking…')
  })
})
