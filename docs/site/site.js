/** The site as files by address: pages, the index of the search, one style, one script, and the pictures. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import MiniSearch from 'minisearch'
import { layoutOf } from './layout.js'
import { navigationOf } from './navigation.js'
import { pagesOf } from './sources.js'
import { rendered } from './text.js'

const HERE = import.meta.dirname
const EXCERPT = 140

/** What the page of the search and this index have to agree on. */
export const INDEX = { fields: ['title', 'page', 'text'], storeFields: ['title', 'page', 'excerpt'] }

/** Makes every file of the site from the repository at `root`; the same repository gives the same bytes. */
export function siteOf(root) {
  const sources = pagesOf(root)
  const known = new Set(sources.map(({ source }) => source))
  const files = new Set()
  const pages = sources.map((page) => rendered(root, page, known, files))
  const navigation = navigationOf(root, sources[0].text)
  const site = new Map(pages.map((page) => [page.address, layoutOf(page, navigation)]))
  for (const file of [...files].sort()) site.set(file, readFileSync(join(root, file)))
  const style = ['src/console/app/style/tokens.css', 'docs/site/style.css']
  site.set('site/style.css', style.map((file) => readFileSync(join(root, file), 'utf8')).join('\n'))
  site.set('site/icon.svg', readFileSync(join(root, 'src/console/app/icon.svg')))
  site.set('site/search.js', readFileSync(join(HERE, 'search.js')))
  site.set('site/minisearch.js', readFileSync(join(root, 'node_modules/minisearch/dist/umd/index.js')))
  // A script and not JSON: pages that are opened from a disk may load scripts, and fetch nothing.
  site.set('site/index.js', `globalThis.searchIndex = ${JSON.stringify(indexOf(pages))}\n`)
  return { site, troubles: pages.flatMap(({ troubles }) => troubles) }
}

function indexOf(pages) {
  const index = new MiniSearch(INDEX)
  for (const page of pages)
    for (const { id, title, text } of page.sections) {
      const excerpt = text.length > EXCERPT ? `${text.slice(0, EXCERPT).replace(/\s\S*$/u, '')} …` : text
      index.add({ id: id === '' ? page.address : `${page.address}#${id}`, title, page: page.title, text, excerpt })
    }
  return { options: INDEX, index: index.toJSON() }
}
