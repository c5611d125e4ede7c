/** Two people must approve, and above an amount others: what each of them sees. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { capability, input } from '../../runtime/fixture/manifest.js'
import { startProvider } from '../provider-process.js'
import { startWorld } from '../world.js'
import { expectAccessible, expectNoSidewaysScroll, launch } from './chromium.js'
import { personAt } from './people.js'

let provider: Awaited<ReturnType<typeof startProvider>>
let browser: Browser
beforeAll(async () => {
  provider = await startProvider()
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  provider?.close()
})

const grant_policy = {
  allowed_grant_types: ['one_time'],
  default_grant_type: 'one_time',
  expires_in_seconds: 900,
  max_uses: 1,
} as const

const book = capability({
  inputs: [input('hotel')],
  side_effect: { type: 'transactional', rollback_window: 'PT1H' },
  cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 20_000 } },
  approval: {
    required: 'always',
    approvers: 2,
    tiers: [{ cost_above: 10_000, approver_scope: 'finance.approver' }],
    grant_policy,
  },
})

const entitlements = ({ groups }: { readonly groups?: unknown }) => ({
  scopes: !Array.isArray(groups) ? [] : groups.includes('managers') ? ['finance.approver'] : ['approver:book'],
})

async function worldAsking() {
  const world = await startWorld({
    given: {
      capabilities: { book } as never,
      oidc: [{ issuer: provider.issuer, audience: 'flights', entitlements }] as never,
      implementation: { previews: { book: () => ({ summary: 'Book the Aurora for the fair' }) } } as never,
    },
    options: { clientId: 'svc-console', clientSecret: 'console-secret' },
  })
  const { token } = await world.fixture.root({ subject: 'agent:planner', scope: ['travel.search'] })
  const call = (approval?: 'continue') =>
    world.fixture.invoke('book', token, { parameters: { hotel: 'Aurora' }, ...(approval && { approval }) })
  const id = (await call()).body['failure']?.['approval_request_id'] as unknown as string
  return { ...world, call, path: `/-/console/approvals/${id}` }
}

it('two people approve one after the other, and each sees how far it is', async () => {
  const world = await worldAsking()
  const bob = await personAt(browser, world.url, 'bob@example.com', { path: world.path })
  await bob.page.getByText('Two people must approve.').waitFor()
  await bob.page.getByText('Nobody has yet.').waitFor()
  await bob.page.getByText('At this cost they need finance.approver.').waitFor()
  await expectAccessible(bob.page)
  await bob.page.keyboard.press('a')
  await bob.page.getByText('You have approved it').waitFor()
  await bob.page.getByText('1 of 2: you.').waitFor()
  await expectAccessible(bob.page)
  expect((await world.call('continue')).status).toBe(403)

  const cleo = await personAt(browser, world.url, 'cleo@example.com', { width: 375, theme: 'dark' })
  await cleo.page.getByText(/1 of 2 approved/u).waitFor()
  await cleo.page.goto(world.url + world.path)
  await cleo.page.getByText('1 of 2: bob@example.com.').waitFor()
  await expectNoSidewaysScroll(cleo.page)
  const isCut = (bar: Element) => bar.scrollWidth > bar.clientWidth
  expect(await cleo.page.locator('.decide-bar .clock').evaluate(isCut)).toBe(false)
  if (process.env['PICTURE'] !== undefined) await cleo.page.screenshot({ path: process.env['PICTURE'], fullPage: true })
  await cleo.page.keyboard.press('a')
  await cleo.page.getByText(/You approved it/u).waitFor()
  expect((await world.call('continue')).status).toBe(200)
  expect([...bob.troubles, ...cleo.troubles]).toEqual([])
  await bob.close()
  await cleo.close()
})

it('whoever has the usual scope alone does not see what costs more', async () => {
  const world = await worldAsking()
  const dora = await personAt(browser, world.url, 'dora@example.com', { path: world.path })
  await dora.page
    .getByText(/There is no such approval request|not there|may not/iu)
    .first()
    .waitFor()
  expect(await dora.page.getByRole('button', { name: /^Approve/u }).count()).toBe(0)
  await dora.close()
})
