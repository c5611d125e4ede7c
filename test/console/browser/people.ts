import type { Browser, Page } from 'playwright-core'
import { troublesIn, windowOf } from './chromium.js'

interface SignedInAs {
  readonly width?: number
  readonly theme?: 'light' | 'dark'
  /** Where the person wanted to go. */
  readonly path?: string
}

/** A person in front of the console, who came through the provider. */
export async function personAt(
  browser: Browser,
  url: string,
  email: string,
  { path = '/-/console/', ...looks }: SignedInAs = {},
): Promise<{ readonly page: Page; readonly troubles: readonly string[]; close(): Promise<void> }> {
  const context = await windowOf(browser, looks)
  const page = await context.newPage()
  const troubles = troublesIn(page)
  await page.goto(url + path)
  await page.getByRole('button', { name: /^Continue with/u }).click()
  await page.getByRole('link', { name: email }).click()
  await page.locator('.app').waitFor()
  return { page, troubles, close: () => context.close() }
}
