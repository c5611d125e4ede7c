/** One page of Markdown as HTML: its title, its headings and its text by section. */
import { Marked } from 'marked'
import { addressOf, relativeTo, targetOf } from './sources.js'

export const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const ENTITIES = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
const plain = (html) =>
  html
    .replaceAll(/<\/(?:t[dhr]|li|p|pre)>/gu, ' ')
    .replaceAll(/<[^>]*>/gu, '')
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/gu, (entity) => ENTITIES[entity])
    .replaceAll(/\s+/gu, ' ')
    .trim()

/** Gives headings the ids that code hosts give them. */
function idsOfHeadings() {
  const seen = new Map()
  return (text) => {
    const id = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-')
    const before = seen.get(id) ?? 0
    seen.set(id, before + 1)
    return before === 0 ? id : `${id}-${before}`
  }
}

/** Writes links, images, code and tables for the site; `troubles` collects links to nothing. */
function rendererFor(root, page, known, files, troubles) {
  const leadTo = (href) => {
    const target = targetOf(root, page.source, href)
    if (target.kind === 'elsewhere') return href
    if (target.kind === 'page' && known.has(target.source))
      return relativeTo(page.address, addressOf(target.source)) + target.hash
    if (target.kind === 'file') {
      files.add(target.file)
      return relativeTo(page.address, target.file) + target.hash
    }
    if (target.kind === 'nothing') troubles.push(`${page.source}: ${href}`)
    return undefined
  }
  const idOf = idsOfHeadings()
  return {
    heading({ tokens, depth }) {
      const inner = this.parser.parseInline(tokens)
      const title = plain(inner)
      const id = idOf(title)
      page.headings.push({ id, depth, title })
      const link = depth === 1 ? '' : ` <a class="anchor" href="#${id}" aria-label="Link to: ${escaped(title)}">#</a>`
      return `<h${depth} id="${id}">${inner}${link}</h${depth}>\n`
    },
    link({ href, tokens }) {
      const inner = this.parser.parseInline(tokens)
      const to = leadTo(href)
      return to === undefined ? inner : `<a href="${escaped(to || '#')}">${inner}</a>`
    },
    image({ href, text }) {
      return `<img src="${escaped(leadTo(href) ?? '')}" alt="${escaped(text)}" loading="lazy">`
    },
    html({ text }) {
      return text
        .replaceAll(/<!--[\s\S]*?-->/gu, '')
        .replaceAll(/ src="([^"]*)"/gu, (_, src) => ` src="${escaped(leadTo(src) ?? '')}" loading="lazy"`)
    },
    code({ text }) {
      return `<pre tabindex="0"><code>${escaped(text)}\n</code></pre>\n`
    },
    table(token) {
      const cells = (row, tag) =>
        row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')
      const head = token.header.some(({ text }) => text.trim() !== '')
        ? `<thead><tr>${cells(token.header, 'th')}</tr></thead>`
        : ''
      const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n')
      return `<div class="table" tabindex="0"><table>${head}<tbody>\n${rows}\n</tbody></table></div>\n`
    },
  }
}

/** Renders a page: HTML, headings, sections for the search, and links that lead to nothing. */
export function rendered(root, { source, address, text }, known, files) {
  const page = { source, address, headings: [] }
  const troubles = []
  const marked = new Marked({ gfm: true })
  marked.use({ renderer: rendererFor(root, page, known, files, troubles) })
  const html = marked.parse(text)
  const title = page.headings[0]?.title ?? source
  return { ...page, title, html, sections: sectionsOf(html, page.headings), troubles }
}

/** The plain text under each heading. */
function sectionsOf(html, headings) {
  const parts = html.split(/<h[1-6] id="[^"]*">.*?<\/h[1-6]>/su).slice(1)
  return headings.map(({ id, title, depth }, index) => ({
    id: depth === 1 ? '' : id,
    title,
    text: plain(parts[index]),
  }))
}
