import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { siteOf } from '../../../docs/site/site.js'
import { expectAccessibleInBoth, expectNoSidewaysScroll, launch, troublesIn } from './chromium.js'

const folder = mkdtempSync(join(tmpdir(), 'svc-site-'))
let browser: Browser

beforeAll(async () => {
  for (const [address, content] of siteOf('.').site) {
    mkdirSync(dirname(join(folder, address)), { recursive: true })
    writeFileSync(join(folder, address), content)
  }
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true })
})

/** A page of the site, from the disk, without a network. */
async function opened(address: string, width: number): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, offline: true, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(pathToFileURL(join(folder, address)).href)
  return page
}

const KINDS = [
  'index.html',
  'docs/guides/tutorial.html',
  'docs/reference/rules/index.html',
  'docs/reference/commands.html',
]

it.each(KINDS)('can be read by everybody, at any width: %s', async (address) => {
  for (const width of [1280, 375]) {
    const page = await opened(address, width)
    await expectNoSidewaysScroll(page)
    await expectAccessibleInBoth(page)
    await page.context().close()
  }
})

it('finds a page without a network', async () => {
  const page = await opened('docs/guides/tutorial.html', 375)
  const troubles = troublesIn(page)
  await page.keyboard.press('/')
  await page.keyboard.type('behind a proxy')
  await page
    .getByRole('status')
    .getByText(/^\d+ found$/u)
    .waitFor()
  expect(troubles).toEqual([])
  await expectAccessibleInBoth(page)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/docs\/guides\/behind-a-proxy\.html$/u)
  await page.context().close()
})
