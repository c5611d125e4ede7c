import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'

const FOLDER = 'dist/console/assets'
/** Loaded when a page needs it. */
const isLate = (file: string): boolean => /-[\w-]{8}\.js$/u.test(file)

it('the console is at most 60 kB gzipped, without what is loaded late', () => {
  const files = readdirSync(FOLDER).filter((file) => !isLate(file))
  expect(files).toEqual(expect.arrayContaining(['app.js', 'console.css', 'index.html', 'tokens.css']))
  const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(`${FOLDER}/${file}`), { level: 9 }).length, 0)
  expect(bytes).toBeLessThanOrEqual(60_000)
})
