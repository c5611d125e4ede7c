/** What agents may be allowed to do: found, read, tried, and copied. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { capability, input } from '../../runtime/fixture/manifest.js'
import { startProvider } from '../provider-process.js'
import { startWorld } from '../world.js'
import { expectAccessible, expectNoSidewaysScroll, launch } from './chromium.js'
import { startExample, type RunningExample } from './example.js'
import { personAt } from './people.js'
import { shot } from './shot.js'

let provider: Awaited<ReturnType<typeof startProvider>>
let browser: Browser
let travel: RunningExample

beforeAll(async () => {
  provider = await startProvider()
  browser = await launch()
  travel = await startExample('travel', provider.issuer)
})
afterAll(async () => {
  await browser?.close()
  await travel?.stop()
  provider?.close()
})

describe('capabilities of the built travel example', () => {
  it('are found by their words, with what comes first', async () => {
    const { page, troubles, close } = await personAt(browser, travel.url, 'ana@example.com', { path: '/-/console/capabilities' }) // prettier-ignore
    await page.getByRole('heading', { name: '6 capabilities' }).waitFor()
    await page.getByRole('img', { name: /book_flight needs search_flights first/u }).waitFor()
    await expectAccessible(page)
    await shot(page, 'catalogue')
    await page.getByLabel('Find a capability').fill('refund full')
    await expect.poll(() => page.locator('.card').count()).toBe(1)
    await page.getByRole('link', { name: 'refund_booking' }).click()
    await page.getByRole('heading', { name: 'refund_booking', level: 1 }).waitFor()
    await page.setViewportSize({ width: 375, height: 800 })
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await page.goto(`${travel.url}/-/console/capabilities`)
    await page.getByRole('heading', { name: '6 capabilities' }).waitFor()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    expect(troubles).toEqual([])
    await close()
  })

  it('are tried with a form from the schema, wait for somebody else, and go on', async () => {
    const ana = await personAt(browser, travel.url, 'ana@example.com', { path: '/-/console/capabilities/search_flights' }) // prettier-ignore
    const { page } = ana
    await page.getByText('You may call it.').waitFor()
    await page.getByLabel('origin').fill('LIS')
    await page.getByLabel('destination').fill('BER')
    await page.getByLabel('date').fill('2030-05-01')
    await page.getByLabel(/^passengers/u).selectOption('2')
    await page.getByRole('button', { name: 'Call it' }).click()
    const result = page.getByRole('region', { name: 'Result' })
    const quote = /"quote_id": "([^"]+)"/u.exec((await result.textContent()) ?? '')![1]!
    await expectAccessible(page)
    await page.goto(`${travel.url}/-/console/capabilities/book_flight`)
    await page.getByText('You may call it. A person will have to approve.').waitFor()
    await page.getByLabel('quote_id').fill(quote)
    await page.getByLabel('passengers').selectOption('2')
    await page.getByText(quote).first().waitFor()
    await expectAccessible(page)
    await shot(page, 'capability')
    await page.getByRole('button', { name: 'Ask to call it' }).click()
    await page.getByText('A person must approve it. Then call it again.').waitFor()
    const request = await page.getByRole('link', { name: 'Open the request' }).getAttribute('href')
    const bob = await personAt(browser, travel.url, 'bob@example.com', { path: request! })
    await bob.page.getByRole('heading', { name: 'Your decision' }).waitFor()
    await bob.page.keyboard.press('a')
    await bob.page.getByText(/You approved it/u).waitFor()
    await page.getByRole('button', { name: 'Ask to call it' }).click()
    await page.getByText(/^Done, for /u).waitFor()
    await page.getByRole('link', { name: 'Open the call' }).click()
    await page.getByRole('heading', { name: /^book_flight is done/u }).waitFor()
    await page.getByText(/^Can be undone until .* UTC\), by refund_booking$/u).waitFor()
    expect([...ana.troubles, ...bob.troubles]).toEqual([])
    await ana.close()
    await bob.close()
  })

  it('are copied as a call in four languages, without a secret', async () => {
    const { page, close } = await personAt(browser, travel.url, 'ana@example.com', { path: '/-/console/capabilities/get_destination' }) // prettier-ignore
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByLabel('airport').fill('BER')
    const parts = { curl: '"airport":"BER"', CLI: 'svc call get_destination airport=BER', TypeScript: 'client.getDestination(', Python: 'client.get_destination(' } // prettier-ignore
    await page.getByRole('tab', { name: 'curl' }).focus()
    for (const [name, part] of Object.entries(parts)) {
      await page.getByRole('tab', { name, selected: true }).waitFor()
      await page.getByRole('button', { name: 'Copy' }).click()
      await page.getByText('Copied').waitFor()
      const copied = (await page.evaluate('navigator.clipboard.readText()')) as string
      expect(copied).toContain(part)
      expect(copied).not.toMatch(/eyJ|svc-console/u)
      await page.getByRole('tab', { name }).focus()
      await page.keyboard.press('ArrowRight')
    }
    await close()
  })

  it('made of steps leave a call with its children, each of which leads back to it', async () => {
    const { page, troubles, close } = await personAt(browser, travel.url, 'ana@example.com', { path: '/-/console/capabilities/plan_trip' }) // prettier-ignore
    await page.getByRole('img', { name: /search_flights is a step of plan_trip/u }).waitFor()
    await page.getByLabel('origin').fill('LIS')
    await page.getByRole('textbox', { name: 'destination' }).fill('BER')
    await page.getByLabel('date').fill('2030-05-01')
    await page.getByRole('button', { name: 'Call it' }).click()
    await page.getByRole('link', { name: 'Open the call' }).click()
    const related = page.getByRole('region', { name: 'Related entries' })
    await related.getByRole('link', { name: 'get_destination' }).waitFor()
    await related.getByRole('link', { name: 'search_flights' }).click()
    await page.getByRole('heading', { name: 'search_flights is done' }).waitFor()
    await related.getByRole('link', { name: 'plan_trip' }).waitFor()
    expect(troubles).toEqual([])
    await close()
  })

  it('may not be called by whom nobody entitled', async () => {
    const { page, close } = await personAt(browser, travel.url, 'bob@example.com', { path: '/-/console/capabilities/book_flight', theme: 'dark' }) // prettier-ignore
    await page.getByText('You may not call it').waitFor()
    await expectAccessible(page)
    await page.goto(`${travel.url}/-/console/capabilities/nothing`)
    await page.getByRole('heading', { name: 'Capability not found' }).waitFor()
    await close()
  })
})

it('takes structured values, and asks twice for what cannot be undone', async () => {
  const order = {
    type: 'object',
    properties: {
      lines: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' }, quantity: { type: 'integer' } }, required: ['sku', 'quantity'] } },
      gift: { type: 'object', properties: { wrapped: { type: 'boolean' } } },
      pay: { oneOf: [{ type: 'object', title: 'By card', properties: { kind: { const: 'card' }, number: { type: 'string' } }, required: ['kind', 'number'] }, { type: 'null' }] },
    },
    required: ['lines', 'pay'],
  } // prettier-ignore
  const seen: unknown[] = []
  const world = await startWorld({
    given: {
      oidc: [{ issuer: provider.issuer, audience: 'flights', entitlements: () => ({ scopes: ['travel.search'] }) }] as never, // prettier-ignore
      capabilities: { buy: capability({ description: '<b>Buys\u202E</b>', side_effect: { type: 'irreversible' }, inputs: [input('order', { type: 'object', 'x-schema': order as never })] }) }, // prettier-ignore
      handlers: { buy: (given: unknown) => (seen.push(given), {}) },
    },
    options: { clientId: 'svc-console', clientSecret: 'console-secret' },
  })
  const { page, troubles, close } = await personAt(browser, world.url, 'ana@example.com', { path: '/-/console/capabilities/buy', width: 375 }) // prettier-ignore
  await page.getByText('<b>Buys\\u{202E}</b>').waitFor()
  await page.getByRole('button', { name: 'Add to lines' }).click()
  await page.getByLabel('sku').fill('AB-1')
  await page.getByLabel('quantity').fill('2')
  await page.getByRole('button', { name: 'Add to lines' }).click()
  await page.getByRole('button', { name: 'Remove lines 2' }).click()
  await page.getByRole('button', { name: 'Add gift' }).click()
  await page.getByLabel(/^wrapped/u).selectOption('true')
  await page.getByLabel('Kind of pay').selectOption('By card')
  await page.getByLabel('number').fill('4711')
  await page.getByText(JSON.stringify({ order: { lines: [{ quantity: 2, sku: 'AB-1' }], pay: { kind: 'card', number: '4711' }, gift: { wrapped: true } } })).waitFor() // prettier-ignore
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Call it…' }).click()
  await page.getByRole('alertdialog').getByText('buy cannot be undone').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('alertdialog').count()).toBe(0)
  expect(seen).toEqual([])
  await page.getByRole('button', { name: 'Call it…' }).click()
  await page.getByRole('button', { name: 'Call it for good' }).click()
  await page.getByText('Done', { exact: true }).waitFor()
  expect(seen).toHaveLength(1)
  expect(troubles).toEqual([])
  await close()
})
