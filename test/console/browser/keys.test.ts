/** From the link of a pending request to the decision: how many keys, and whether the page names each of them. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startProvider } from '../provider-process.js'
import { startWorld } from '../world.js'
import { launch } from './chromium.js'
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

const entitlements = ({ groups }: { readonly groups?: unknown }) => ({
  scopes: Array.isArray(groups) && groups.includes('managers') ? ['approver:book'] : [],
})

/** A request for what cannot be undone: the longest way that there is. */
async function opened() {
  const world = await startWorld({
    given: { oidc: [{ issuer: provider.issuer, audience: 'flights', entitlements }] as never },
    options: { clientId: 'svc-console', clientSecret: 'console-secret' },
  })
  const { token } = await world.fixture.root({ subject: 'agent:planner' })
  const { body } = await world.fixture.invoke('book', token, { parameters: { hotel: 'Aurora' } })
  const id = body['failure']?.['approval_request_id'] as unknown as string
  const path = `/-/console/approvals/${id}`
  const { page, close } = await personAt(browser, world.url, 'bob@example.com', { path })
  await page.getByRole('heading', { name: 'Your decision' }).waitFor()
  const status = async () => (await world.fixture.storage.approvals.get(id))!.status
  return { page, status, close }
}

/** Presses a key that the page shows; the second question takes none for a moment. */
async function pressNamed(page: Page, key: string): Promise<void> {
  await page
    .locator('kbd:visible', { hasText: new RegExp(`^${key}$`, 'u') })
    .last()
    .waitFor()
  await page.waitForTimeout(450)
  await page.keyboard.press(key.toLowerCase() === 'enter' ? 'Enter' : key.toLowerCase())
}

it.each([
  ['approved', ['A', 'Enter']],
  ['denied', ['R', '1', 'Enter']],
] as const)('is %s by at most three keys, each of which the page names: %j', async (expected, keys) => {
  expect(keys.length).toBeLessThanOrEqual(3)
  const { page, status, close } = await opened()
  for (const key of keys) {
    expect(await status()).toBe('pending')
    await pressNamed(page, key)
  }
  await expect.poll(status, { timeout: 30_000 }).toBe(expected)
  await close()
})
