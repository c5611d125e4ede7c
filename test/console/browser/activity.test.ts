/** The trail: followed, filtered, read call by call, and proven by the browser itself. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { capability, input } from '../../runtime/fixture/manifest.js'
import { startProvider } from '../provider-process.js'
import { startWorld } from '../world.js'
import { expectAccessible, expectAccessibleInBoth, expectNoSidewaysScroll, launch } from './chromium.js'
import { startExample, type RunningExample } from './example.js'
import { personAt } from './people.js'
import { shot } from './shot.js'

let provider: Awaited<ReturnType<typeof startProvider>>
let browser: Browser
let refunds: RunningExample
let token: string
let parentId: string

beforeAll(async () => {
  provider = await startProvider()
  browser = await launch()
  refunds = await startExample('refunds', provider.issuer)
  const issued = await refunds.post('/svc/tokens', refunds.developer, {
    scope: ['orders.read', 'refunds.create'],
    subject: 'agent:desk',
    purpose_parameters: { task_id: 'cancelled-tours' },
    budget: { currency: 'EUR', max_amount: 200, mode: 'cumulative' },
  })
  token = issued.body['token']!
  parentId = issued.body['token_id']!
})
afterAll(async () => {
  await browser?.close()
  await refunds?.stop()
  provider?.close()
})

const refund = async (amount: number, order_id: string) =>
  (await refunds.post('/svc/invoke/refund_order', token, { parameters: { order_id, amount, reason: 'late' } })).body

describe('an auditor at the built refunds example', () => {
  it('follows the trail, looks for what was refused, and reads which check refused it', async () => {
    await refund(20, 'o-1')
    const dora = await personAt(browser, refunds.url, 'dora@example.com', { path: '/-/console/activity' })
    const bob = await personAt(browser, refunds.url, 'bob@example.com', { path: '/-/console/activity' })
    const { page } = dora
    await page.getByRole('row', { name: /refund_order.*Done.*20\.00 EUR/u }).waitFor()
    const refused = (await refund(300, 'ord-2002'))['invocation_id']
    await page.getByRole('button', { name: 'Show 1 new entry' }).click()
    await page.getByRole('row', { name: /refund_order.*budget_exceeded.*Refused/u }).waitFor()
    await expectAccessible(page)
    await shot(page, 'activity')
    await page.getByRole('button', { name: 'Refused', exact: true }).click()
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    expect(new URL(page.url()).search).toBe('?outcome=refused')
    await page.reload()
    await page.getByRole('link', { name: 'refund_order' }).click()
    await page.getByRole('heading', { name: 'refund_order was refused: the cost exceeds the budget' }).waitFor()
    await page.getByText('Nothing happened').waitFor()
    expect(page.url()).toBe(`${refunds.url}/-/console/activity/${refused}`)
    expect(await page.locator('.checks .stop').textContent()).toContain('The budget does not cover it')
    await page.getByText('Verified in this browser').waitFor()
    await expectAccessible(page)
    await shot(page, 'invocation')
    // Bob approves here, and did nothing in his own name: he reads nothing of the developer's trail.
    await bob.page.getByRole('heading', { name: 'No activity in this period' }).waitFor()
    await expectAccessible(bob.page)
    await bob.page.goto(page.url())
    await bob.page.getByRole('heading', { name: 'Call not found, or you may not see it' }).waitFor()
    expect([...dora.troubles, ...bob.troubles]).toEqual([])
    await dora.close()
    await bob.close()
  })

  it('is told when an entry is not the one that was signed', async () => {
    const id = (await refund(1, 'ord-2003'))['invocation_id']
    const { page, close } = await personAt(browser, refunds.url, 'dora@example.com', { width: 375, theme: 'dark' })
    await page.route('**/-/console/api/trail?invocation_id=*', async (route) => {
      const response = await route.fetch()
      const text = await response.text()
      await route.fulfill({ response, body: text.replace('"actor_key":"agent:desk"', '"actor_key":"agent:mole"') })
    })
    await page.goto(`${refunds.url}/-/console/activity/${id}`)
    await page.getByText('The proof does not hold').waitFor()
    await page.getByText(/The entry is not the one at leaf/u).waitFor()
    await page.unroute('**/-/console/api/trail?invocation_id=*')
    await page.route('**/svc/manifest', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replace('"EUR"', '"USD"') })
    })
    await page.reload()
    await page.getByText('The proof does not hold').waitFor()
    await page.getByText(/The manifest that names the key is not signed/u).waitFor()
    await page.unroute('**/svc/manifest')
    await page.reload()
    await page.getByText('Verified in this browser').waitFor()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await page.goto(`${refunds.url}/-/console/activity`)
    await page
      .getByRole('row', { name: /refund_order/u })
      .first()
      .waitFor()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await close()
  })
})

it('shows at a glance whether anything needs somebody', async () => {
  const { page, troubles, close } = await personAt(browser, refunds.url, 'dora@example.com', { path: '/-/console/overview' }) // prettier-ignore
  await page.getByRole('heading', { name: /^\d+ calls?, \d+ refused, \d+ failed$/u }).waitFor()
  await page.getByText('No alarms').waitFor()
  await expectAccessibleInBoth(page)
  await shot(page, 'overview')
  await page.getByRole('link', { name: '7 days' }).click()
  await page.waitForURL('**/-/console/overview?hours=168')
  await page.setViewportSize({ width: 375, height: 800 })
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  expect(troubles).toEqual([])
  await close()
})

describe('an operator at the built refunds example', () => {
  it('sees who gave what to whom, and ends a subtree with a reason', async () => {
    const given = await refunds.post('/svc/tokens', token, {
      scope: ['orders.read'],
      subject: 'agent:reader',
      parent_token: parentId,
      budget: { currency: 'EUR', max_amount: 50, mode: 'cumulative' },
    })
    const reader = given.body['token']!
    const dora = await personAt(browser, refunds.url, 'dora@example.com', { path: '/-/console/tokens' })
    const { page } = dora
    await page.getByRole('heading', { name: 'agent:reader' }).waitFor()
    await page.getByRole('img', { name: /of 200\.00 EUR spent/u }).waitFor()
    await page.locator('.diff del', { hasText: 'refunds.create' }).waitFor()
    await expectAccessibleInBoth(page)
    await shot(page, 'tokens')
    await page.getByRole('button', { name: 'Revoke… agent:desk' }).click()
    await page.getByRole('heading', { name: 'Revoke agent:desk and 1 below it?' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Enter a reason. It is recorded in the audit trail.').waitFor()
    await expectAccessible(page)
    await page.keyboard.type('The tour is cancelled')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('.tok').count()).toBe(0)
    const ended = await refunds.post('/svc/permissions', reader, {})
    expect(ended.body['failure']?.['type']).toBe('token_revoked')
    await page.getByRole('link', { name: 'Revoked' }).click()
    await page.getByRole('heading', { name: 'agent:desk' }).waitFor()
    await page.setViewportSize({ width: 375, height: 800 })
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    const bob = await personAt(browser, refunds.url, 'bob@example.com', { path: '/-/console/tokens' })
    await bob.page.getByText('The tokens could not be read').waitFor()
    expect(await bob.page.getByRole('link', { name: 'Tokens' }).count()).toBe(0)
    expect(dora.troubles).toEqual([])
    await dora.close()
    await bob.close()
  })
})

it('says of an entry whose text is withheld what was verified, and what was not', async () => {
  const world = await startWorld({
    given: {
      oidc: [{ issuer: provider.issuer, audience: 'flights', entitlements: () => ({ scopes: ['travel.search'] }) }] as never, // prettier-ignore
      manifest: {
        metadata_disclosure: { failure_detail: 'redacted' },
        trust: { level: 'anchored', anchoring: { cadence: 'PT1S' } },
      },
      capabilities: { search: capability({ extensions: { 'x-failures': { sold_out: 'None is left.' } } }) },
      handlers: { search: (_: unknown, context: { fail(type: string, detail: string): never }) => context.fail('sold_out', 'Row 7 is gone.') }, // prettier-ignore
    },
    options: { clientId: 'svc-console', clientSecret: 'console-secret' },
  })
  const { page, close } = await personAt(browser, world.url, 'ana@example.com', { path: '/-/console/capabilities/search' }) // prettier-ignore
  await page.getByRole('button', { name: 'Call it' }).click()
  await page.getByRole('link', { name: 'Open the call' }).click()
  await page.getByText('In the trail; its text is withheld').waitFor()
  await page.getByText(/Not verified: what it says/u).waitFor()
  expect(await page.getByText('Verified in this browser').count()).toBe(0)
  expect(await page.getByText('Row 7 is gone.').count()).toBe(0)
  await expectAccessibleInBoth(page)
  await close()
})

it('N17 shows hostile texts of the trail as text', async () => {
  const hostile = `<img src=x onerror="document.title='owned'">\u202Egnp.exe\u0007`
  const entitlements = () => ({ scopes: [], roles: ['auditor'] })
  const world = await startWorld({
    given: {
      oidc: [{ issuer: provider.issuer, audience: 'flights', entitlements }] as never,
      capabilities: { search: capability({ inputs: [input('city')], observability: { fields_logged: ['city'] } as never }) }, // prettier-ignore
    },
    options: { clientId: 'svc-console', clientSecret: 'console-secret' },
  })
  const { token: agent } = await world.fixture.root({ subject: 'agent:desk', purpose_parameters: { task_id: `<b>${'t'.repeat(200)}` } }) // prettier-ignore
  const { body } = await world.fixture.invoke('search', agent, { parameters: { city: hostile + 'x'.repeat(5_000) } })
  const { page, troubles, close } = await personAt(browser, world.url, 'dora@example.com', { path: '/-/console/activity', width: 375 }) // prettier-ignore
  await page
    .getByRole('row', { name: /search/u })
    .first()
    .waitFor()
  await expectNoSidewaysScroll(page)
  await page.goto(`${world.url}/-/console/activity/${body['invocation_id']}`)
  await page.getByText(/^<img src=x onerror=.*\\u\{202E\}gnp\.exe\\u\{7\}x+…$/u).waitFor()
  expect(await page.locator('main img').count()).toBe(0)
  await expectNoSidewaysScroll(page)
  expect(await page.title()).not.toBe('owned')
  expect(troubles).toEqual([])
  await close()
})
