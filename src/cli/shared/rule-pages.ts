import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packageRoot } from './files/package-root.js'

/** Returns the page of a rule: on the package's home page, or else the file in the package. */
export function rulePageUri(slug: string): string | undefined {
  const page = `docs/reference/rules/${slug}.md`
  const file = join(packageRoot(), page)
  if (!existsSync(file)) return undefined
  const { homepage } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {
    readonly homepage?: string
  }
  return homepage === undefined ? pathToFileURL(file).href : new URL(page, `${homepage.replace(/\/$/u, '')}/`).href
}
