/** The pages of the site and the files beside them: Markdown of this repository, read where it is. */
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'

const HOME = 'README.md'
const BESIDE = ['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md']
/** What a link may lead to without being a page: shown as it is by any browser. */
const SHOWN = /\.(?:png|svg|json)$/u

const isFile = (root, path) => existsSync(join(root, path)) && statSync(join(root, path)).isFile()

/** Every page, home first, then by path. */
export function pagesOf(root) {
  const under = (folder, wanted) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
      .filter((file) => wanted.test(file))
  const found = [
    ...under('docs', /\.md$/u),
    ...readdirSync(join(root, 'examples')).map((name) => `examples/${name}/README.md`),
  ]
  return [HOME, ...BESIDE, ...found.filter((file) => isFile(root, file)).sort()].map((source) => ({
    source,
    address: addressOf(source),
    text: readFileSync(join(root, source), 'utf8'),
  }))
}

/** Where a source is in the site: `docs/guides/mcp.md` is `docs/guides/mcp.html`, a README the index of its folder. */
export const addressOf = (source) => source.replace(/README\.md$/u, 'index.md').replace(/\.md$/u, '.html')

/**
 * What a link of a page leads to: an address beyond this repository, a page, a file that a browser shows,
 * or what only the repository has.
 */
export function targetOf(root, source, href) {
  if (/^[a-z][a-z+.-]*:/iu.test(href)) return { kind: 'elsewhere', href }
  const [path = '', anchor] = href.split('#')
  const named = path === '' ? source : posix.normalize(posix.join(posix.dirname(source), path)).replace(/\/$/u, '')
  const file = isFile(root, named) ? named : `${named}/README.md`
  const hash = anchor === undefined ? '' : `#${anchor}`
  if (!isFile(root, file)) return existsSync(join(root, named)) ? { kind: 'repository' } : { kind: 'nothing' }
  if (file.endsWith('.md')) return { kind: 'page', source: file, hash }
  return SHOWN.test(file) ? { kind: 'file', file, hash } : { kind: 'repository' }
}

/** The way from one address of the site to another, so that it works in any folder and without a server. */
export const relativeTo = (from, to) => posix.relative(posix.dirname(from), to)
