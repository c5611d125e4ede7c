import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'

/** The pictures of docs/images/console: `SHOTS=docs/images/console npm test -- console`. */
export async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env['SHOTS']
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png` })
}
