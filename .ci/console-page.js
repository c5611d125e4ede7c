/** A rolldown plugin that lays the page of the console, its style sheets and its icon beside its code. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

const FILES = ['index.html', 'icon.svg', 'style/tokens.css', 'style/console.css']

/** Comments, indentation and the blanks around braces say nothing to a browser. */
const compactCss = (text) =>
  text
    .replaceAll(/\/\*.*?\*\//gsu, '')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/ ?([{};]) ?/gu, '$1')
    .replaceAll(';}', '}')

const sourceOf = (file) => {
  const text = readFileSync(`src/console/app/${file}`, 'utf8')
  return file.endsWith('.css') ? compactCss(text) : text
}

export const consolePage = () => ({
  name: 'console-page',
  /** A minifier leaves templates as they are: indentation in them is never shown. */
  transform: (code, id) => (id.includes('/src/console/app/') ? code.replaceAll(/\n\s+/gu, '\n') : undefined),
  generateBundle() {
    for (const file of FILES) this.emitFile({ type: 'asset', fileName: basename(file), source: sourceOf(file) })
  },
})
