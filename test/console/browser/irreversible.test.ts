/** What the examples do not have: no way back, sessions, hostile texts, and time that passes. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

const entitlements = ({ groups }: { readonly groups?: unknown }) => ({
  scopes: Array.isArray(groups) && groups.includes('managers') ? ['approver:book'] : [],
})

async function worldAsking(preview: unknown, hotel = 'Aurora', session_id?: string, subject = 'agent:planner') {
  const world = await startWorld({
    given: {
      oidc: [{ issuer: provider.issuer, audience: 'flights', entitlements }] as never,
      implementation: { previews: { book: () => preview } } as never,
    },
    options: { clientId: 'svc-console', clientSecret: 'console-secret' },
  })
  const { token } = await world.fixture.root({ subject, ...(session_id && { session_id }) })
  const call = (approval?: 'continue') => world.fixture.invoke('book', token, { parameters: { hotel }, ...(approval && { approval }) }) // prettier-ignore
  const id = (await call()).body['failure']?.['approval_request_id'] as unknown as string
  return { ...world, id, call, path: `/-/console/approvals/${id}` }
}

describe('what cannot be undone', () => {
  it('asks twice, and ignores a key that is held', async () => {
    const world = await worldAsking({ summary: 'Book the Aurora for 12 nights', action: 'Book the Aurora', nights: 12 })
    const { page, troubles, close } = await personAt(browser, world.url, 'bob@example.com', { path: world.path })
    await page.getByRole('heading', { name: 'Book the Aurora for 12 nights' }).waitFor()
    await page.getByText('It cannot be undone').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('a')
    await page.getByRole('alertdialog').waitFor()
    await page.keyboard.press('Enter')
    expect((await world.call('continue')).status).toBe(403)
    await page.waitForTimeout(450)
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await page.getByText(/You approved it/u).waitFor()
    expect((await world.call('continue')).status).toBe(200)
    expect(troubles).toEqual([])
    await close()
  })

  it('is not selected in the inbox', async () => {
    const world = await worldAsking({ summary: 'Book the Aurora' })
    const { page, close } = await personAt(browser, world.url, 'bob@example.com')
    await page.getByRole('link', { name: 'Book the Aurora' }).waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(0)
    await close()
  })
})

it('approves for a session, with uses and time within the policy', async () => {
  const world = await worldAsking({ summary: 'Book the Aurora' }, 'Aurora', 'session-1')
  const { page, close } = await personAt(browser, world.url, 'bob@example.com', { path: world.path })
  await page.getByLabel('For this session').check()
  await page.getByLabel('calls').fill('2')
  await page.getByRole('spinbutton', { name: 'min' }).fill('5')
  await expectAccessible(page)
  await page.keyboard.press('Tab')
  await page
    .getByRole('button', { name: /^Approve 2 calls/u })
    .first()
    .click()
  await page.waitForTimeout(450)
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Approve for good/u })
    .click()
  await page.getByText(/You approved it/u).waitFor()
  const { grant_id } = (await world.fixture.storage.approvals.get(world.id))!
  const stored = await world.fixture.storage.approvals.grant(grant_id!)
  expect(stored?.grant).toMatchObject({ grant_type: 'session_bound', session_id: 'session-1', max_uses: 2 })
  await close()
})

it('keeps what was typed while the person signs in again for a decision', async () => {
  const world = await worldAsking({ summary: 'Book the Aurora' })
  const { page, close } = await personAt(browser, world.url, 'bob@example.com', { path: world.path })
  await page.getByLabel(/Note for the audit trail/u).fill('As agreed in the meeting.')
  world.pass(16 * 60_000)
  const press = async () => {
    await page
      .getByRole('button', { name: /^Approve once/u })
      .first()
      .click()
    await page.waitForTimeout(450)
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^Approve for good/u })
      .click()
  }
  await press()
  await page.getByRole('alert').getByRole('button', { name: 'Sign in again' }).click()
  await page.getByRole('button', { name: /^Continue with/u }).click()
  await page.getByRole('heading', { name: 'Book the Aurora' }).waitFor()
  expect(await page.getByLabel(/Note for the audit trail/u).inputValue()).toBe('As agreed in the meeting.')
  await press()
  await page.getByText('As agreed in the meeting.').waitFor()
  expect((await world.fixture.storage.approvals.get(world.id))?.reason).toBe('As agreed in the meeting.')
  await close()
})

it('N17 shows markup, control characters and bidi of others as text, isolated and cut', async () => {
  const hostile = `<img src=x onerror="document.title='owned'">\u202Egnp.exe\u0007${'long '.repeat(10_000)}`
  const world = await worldAsking(
    { summary: '<b>Approve\u202E me</b>', note: hostile, [hostile.slice(0, 200)]: 1 },
    hostile.slice(0, 2000),
  )
  const { page, troubles, close } = await personAt(browser, world.url, 'bob@example.com', {
    path: world.path,
    width: 375,
  })
  await page.getByRole('heading', { name: '<b>Approve\\u{202E} me</b>' }).waitFor()
  expect(await page.locator('main img').count()).toBe(0)
  const said = page.locator('.said').first()
  expect(await said.textContent()).toMatch(/^<img src=x onerror=.*\\u\{202E\}gnp\.exe\\u\{7\}long .*…$/u)
  expect(((await said.textContent()) ?? '').length).toBeLessThan(230)
  expect(await page.evaluate('getComputedStyle(document.querySelector(".said")).unicodeBidi')).toBe('isolate')
  await expectNoSidewaysScroll(page)
  expect(await page.title()).not.toBe('owned')
  expect(troubles).toEqual([])
  await close()
})

it('N17 shows names and reasons of others as text, isolated, and takes no reason beyond its length', async () => {
  const reason = `<img src=x onerror="document.title='owned'">\u202Egnp.exe\u0007${'long '.repeat(180)}`
  const world = await worldAsking(
    { summary: 'Book' },
    'Aurora',
    undefined,
    'agent:<img/src=x/onerror=document.title=1>',
  )
  const deny = (words: string) =>
    world.fixture.post(`/svc/approval_requests/${world.id}/deny`, 'bob-key', { reason: words })
  for (const words of ['r'.repeat(1001), 'r'.repeat(1_000_000)])
    expect((await deny(words)).status).toBeGreaterThanOrEqual(400)
  expect((await deny(reason)).status).toBe(200)
  const { page, troubles, close } = await personAt(browser, world.url, 'bob@example.com', {
    path: world.path,
    width: 375,
  })
  const said = page.locator('bdi', { hasText: 'gnp.exe' }).first()
  await said.waitFor()
  expect(await said.textContent()).toMatch(/^<img src=x onerror=.*\\u\{202E\}gnp\.exe\\u\{7\}long /u)
  expect(await page.evaluate('getComputedStyle(document.querySelector("bdi")).unicodeBidi')).toBe('isolate')
  await page.getByText('<img/src=x/onerror=document.title=1>').first().waitFor()
  expect(await page.locator('main img').count()).toBe(0)
  await expectNoSidewaysScroll(page)
  expect(['owned', '1']).not.toContain(await page.title())
  expect(troubles).toEqual([])
  await close()
})
