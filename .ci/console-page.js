/** A rolldown plugin that lays the page of the console, its style sheets and its icon beside its code. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

const FILES = ['index.html', 'icon.svg', 'style/tokens.css', 'style/console.css']

export const consolePage = () => ({
  name: 'console-page',
  generateBundle() {
    for (const file of FILES)
      this.emitFile({
        type: 'asset',
        fileName: basename(file),
        source: readFileSync(`src/console/app/${file}`, 'utf8'),
      })
  },
})
