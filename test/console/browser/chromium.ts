import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { FLAGS, installedBrowser } from '../../runtimes/chromium.js'

/** A headless browser without a profile. */
export async function launch(): Promise<Browser> {
  const { program, libraries } = await installedBrowser()
  return chromium.launch({
    executablePath: program,
    args: [...FLAGS],
    env: {
      ...(process.env as { [name: string]: string }),
      ...(libraries !== undefined && { LD_LIBRARY_PATH: libraries }),
    },
  })
}

interface Looks {
  readonly width?: number
  readonly theme?: 'light' | 'dark'
}

/** Somebody's window: its own cookies, a time zone that is not UTC, and no request to anybody but this machine. */
export async function windowOf(
  browser: Browser,
  { width = 1280, theme = 'light' }: Looks = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width, height: width < 600 ? 800 : 860 },
    colorScheme: theme,
    timezoneId: 'Europe/Berlin',
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  await context.route(
    (url) => url.hostname !== '127.0.0.1',
    (route) => route.abort(),
  )
  return context
}

/** What goes wrong in a page: errors, refused styles and scripts, requests elsewhere. */
export function troublesIn(page: Page): string[] {
  const troubles: string[] = []
  page.on('pageerror', (error) => troubles.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 40[139]/u.test(message.text())) troubles.push(message.text())
  })
  page.on('requestfailed', (request) => {
    if (request.failure()?.errorText !== 'net::ERR_ABORTED')
      troubles.push(`${request.url()} ${request.failure()?.errorText}`)
  })
  return troubles
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** WCAG 2.2 AA by axe: nothing serious or critical. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(AXE)
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run: (options: object) => Promise<{ violations: readonly Violation[] }> }
    }
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
    return (await axe.run({ runOnly: { type: 'tag', values: tags } })).violations
  })
  const bad = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(bad.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))])).toEqual([])
}

/** The same in the light and in the dark. */
export async function expectAccessibleInBoth(page: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
  }
}

/** No page scrolls sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const over = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  expect(over).toBe(0)
}
