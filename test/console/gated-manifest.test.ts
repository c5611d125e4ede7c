/** A manifest that is for callers with a credential, in the console: for those who have signed in. */
import { afterEach, expect, it, vi } from 'vitest'
import { readManifest, readTools } from '../../src/console/app/proof/read.js'
import { startWorld } from './world.js'

afterEach(() => vi.unstubAllGlobals())

const given = { manifest: { metadata_disclosure: { manifest: 'bearer' } } } as const

it.each([
  ['manifest', 'manifest_metadata'],
  ['tools', 'tools'],
])('%s is shown to a person who has signed in, and to nobody else', async (name, member) => {
  const world = await startWorld({ given, options: { development: true } })
  const path = `/-/console/api/${name}`
  expect((await world.browser().get(path)).status).toBe(401)
  const ana = world.browser()
  await ana.byKey('ana-key')
  const { status, body } = await ana.get(path)
  expect([status, Object.keys(body as object).includes(member)]).toEqual([200, true])
})

it('the pages ask as everybody first, and as the person where that is refused', async () => {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (path: string, { credentials }: RequestInit) => {
    asked.push(`${path} ${credentials}`)
    return credentials === 'omit' ? new Response('{}', { status: 401 }) : Response.json({ of: path })
  })
  expect([await readManifest(), await readTools()]).toEqual([{ of: '/-/console/api/manifest' }, { of: '/-/console/api/tools' }])
  expect(asked).toEqual(['/svc/manifest omit', '/-/console/api/manifest same-origin', '/tools.json omit', '/-/console/api/tools same-origin'])
}) // prettier-ignore
