/** `npm run site [folder]`: the documentation as files that any web server, or a browser alone, can show. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { siteOf } from './site.js'

const root = resolve(import.meta.dirname, '../..')
const folder = resolve(process.argv[2] ?? join(import.meta.dirname, 'dist'))
const { site, troubles } = siteOf(root)
if (troubles.length > 0) {
  console.error(`Links to nothing:\n${troubles.join('\n')}`)
  process.exit(1)
}
if (process.argv[2] === undefined) rmSync(folder, { recursive: true, force: true })
for (const [address, content] of site) {
  mkdirSync(dirname(join(folder, address)), { recursive: true })
  writeFileSync(join(folder, address), content)
}
console.log(`${site.size} files. Open ${join(folder, 'index.html')}`)
