import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { posix } from 'node:path'
import MiniSearch from 'minisearch'
import { expect, it } from 'vitest'
import { INDEX, siteOf } from '../docs/site/site.js'

const { site, troubles } = siteOf('.')
const pages = new Map(
  [...site].filter(([address]) => address.endsWith('.html')).map(([at, html]) => [at, String(html)]),
)

const idsOf = new Map([...pages].map(([at, html]) => [at, [...html.matchAll(/ id="([^"]*)"/gu)].map(([, id]) => id!)]))

/** Attributes of elements, without what stands in code and text: there, `<` and `"` are escaped. */
const attributes = (html: string, name: string): readonly string[] =>
  [...html.matchAll(new RegExp(`<[a-z][^<>]* ${name}="([^"]*)"`, 'gu'))].map(([, value]) => value!)

const digestOf = (files: ReadonlyMap<string, string | Uint8Array>): string => {
  const hash = createHash('sha256')
  for (const [address, content] of files) hash.update(`${address}\n`).update(content)
  return hash.digest('hex')
}

const isElsewhere = (href: string): boolean => /^(?:[a-z][a-z+.-]*:|\/)/iu.test(href)

function led(from: string, href: string): { readonly address: string; readonly id: string | undefined } {
  const [path = '', id] = href.split('#')
  return { address: path === '' ? from : posix.join(posix.dirname(from), path), id: id === '' ? undefined : id }
}

const linksWithin = [...pages].flatMap(([from, html]) =>
  [...attributes(html, 'href'), ...attributes(html, 'src')]
    .filter((href) => !isElsewhere(href))
    .map((href) => ({ from, href, ...led(from, href) })),
)

it('has a page for every page of docs', () => {
  const sources = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'))
  const addresses = sources.map((file) => `docs/${file.replace(/README\.md$/u, 'index.md').replace(/\.md$/u, '.html')}`)
  expect(addresses.filter((address) => !pages.has(address))).toEqual([])
})

it('has no link of its sources that leads to nothing', () => {
  expect(troubles).toEqual([])
})

it('has every page, file and anchor that a page links to', () => {
  const broken = linksWithin.filter(
    ({ address, id }) => !site.has(address) || (id !== undefined && !idsOf.get(address)?.includes(id)),
  )
  expect(broken.map(({ from, href }) => `${from}: ${href}`)).toEqual([])
})

it('gives no id twice on a page', () => {
  expect([...idsOf].filter(([, ids]) => new Set(ids).size < ids.length).map(([at]) => at)).toEqual([])
})

it('leads from its first page to every other', () => {
  const reached = new Set(['index.html'])
  for (const at of reached) for (const { from, address } of linksWithin) if (from === at) reached.add(address)
  expect([...pages.keys()].filter((at) => !reached.has(at))).toEqual([])
})

it('groups the navigation by who reads, as the README does', () => {
  const [, navigation] = /<nav id="contents"[^>]*>(.*?)<\/nav>/su.exec(pages.get('index.html')!)!
  expect([...navigation!.matchAll(/<h2>(.*?)<\/h2>/gu)].map(([, label]) => label)).toEqual([
    'Author',
    'Agent developer',
    'Approver',
    'Operator',
    'Auditor and security engineer',
    'Reference',
    'Project',
  ])
})

it('loads nothing from another host', () => {
  const loading =
    /<(?:script|link|img|iframe|source|object|embed|video|audio)\b[^<>]*? (?:src|href|srcset|data)="([^"]*)"/gu
  const loaded = [...pages].flatMap(([at, html]) =>
    [...html.matchAll(loading)].map(([, href]) => ({ at, href: href! })),
  )
  expect(loaded.filter(({ href }) => isElsewhere(href))).toEqual([])
  const others = [...site].filter(([at]) => /\.(?:css|svg)$/u.test(at))
  expect(others.filter(([, text]) => /@import|url\((?!#)|href="http/u.test(String(text))).map(([at]) => at)).toEqual([])
  expect([...pages].filter(([, html]) => !html.includes(`content="default-src 'none';`))).toEqual([])
})

it('finds each page by its title', () => {
  const text = String(site.get('site/index.js')).replace('globalThis.searchIndex = ', '')
  const { index } = JSON.parse(text) as { readonly index: Parameters<typeof MiniSearch.loadJS>[0] }
  const search = MiniSearch.loadJS(index, INDEX)
  expect([...pages.keys()].filter((at) => !search.has(at))).toEqual([])
  expect(search.search('behind a proxy', { boost: { title: 4 } })[0]?.id).toBe('docs/guides/behind-a-proxy.html')
})

it('is the same for the same sources', () => {
  expect(digestOf(siteOf('.').site)).toBe(digestOf(site))
})
