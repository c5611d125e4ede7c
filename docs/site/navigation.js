/** The navigation of the site: the groups of links under "Documentation" in the README, which is the one table. */
import { marked } from 'marked'
import { targetOf } from './sources.js'

const WITHOUT_LABEL = 'Project'

/** Groups of links, in the order of the README: `{ label, links: [{ title, source, hash }] }`. */
export function navigationOf(root, readme) {
  const tokens = marked.lexer(readme)
  const start = tokens.findIndex((token) => token.type === 'heading' && token.text === 'Documentation')
  const list = tokens.slice(start).find((token) => token.type === 'list')
  return list.items.map((item) => groupOf(root, item)).filter(({ links }) => links.length > 0)
}

function groupOf(root, item) {
  const words = item.tokens[0].tokens
  const [first] = words
  const label = first.type === 'text' ? first.text.replace(/:\s*$/u, '') : WITHOUT_LABEL
  const links = words
    .filter(({ type }) => type === 'link')
    .map(({ href, text }) => ({ text, to: targetOf(root, 'README.md', href) }))
  return {
    label,
    links: links
      .filter(({ to }) => to.kind === 'page')
      .map(({ text, to }) => ({
        title: text.slice(0, 1).toUpperCase() + text.slice(1),
        source: to.source,
        hash: to.hash,
      })),
  }
}
