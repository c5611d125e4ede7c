import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { startWorld } from './world.js'

const FOLDER = 'dist/console/assets'
/** Loaded when a page needs it. */
const isLate = (file: string): boolean => /-[\w-]{8}\.js$/u.test(file)

it('the console is at most 62 kB gzipped, without what is loaded late', () => {
  const files = readdirSync(FOLDER).filter((file) => !isLate(file))
  expect(files).toEqual(expect.arrayContaining(['app.js', 'console.css', 'index.html', 'tokens.css']))
  const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(`${FOLDER}/${file}`), { level: 9 }).length, 0)
  expect(bytes).toBeLessThanOrEqual(62_000)
})

describe('a file of the console', () => {
  const page = '/-/console/assets/app.js'

  it('is sent again only where it has changed, and packed only for those who unpack it', async () => {
    const browser = (await startWorld({ options: { development: true } })).browser()
    const { status, headers } = await browser.get(page, { headers: { 'accept-encoding': 'gzip' } })
    expect([status, headers.get('content-encoding')]).toEqual([200, 'gzip'])
    expect([headers.get('content-type'), headers.get('x-content-type-options'), headers.get('cache-control'), headers.get('vary')]).toEqual(['text/javascript; charset=utf-8', 'nosniff', 'no-cache', 'accept-encoding']) // prettier-ignore
    const plain = await browser.get(page, { headers: { 'accept-encoding': 'identity' } })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(plain.text).toBe(readFileSync(`${FOLDER}/app.js`, 'utf8'))
    const etag = headers.get('etag') ?? ''
    const known = (value: string) => browser.get(page, { headers: { 'if-none-match': value } })
    expect([(await known(etag)).status, (await known(etag)).text, (await known('"other"')).status]).toEqual([304, '', 200]) // prettier-ignore
  })

  it('is known by its name alone: no path leads to another one', async () => {
    const browser = (await startWorld({ options: { development: true } })).browser()
    for (const name of ['none.js', '..%2f..%2fpackage.json', 'APP.js', ''])
      expect([name, (await browser.get(`/-/console/assets/${name}`)).status]).toEqual([name, 404])
    const head = await browser.request('HEAD', '/-/console/')
    expect([head.status, head.text, head.headers.get('content-type')]).toEqual([200, '', 'text/html; charset=utf-8'])
    expect((await browser.request('PUT', '/-/console/')).status).toBe(405)
  })
})
