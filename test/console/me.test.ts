/** What every page of the console begins with. */
import { expect, it } from 'vitest'
import { capability, input } from '../runtime/fixture/manifest.js'
import { CAPABILITIES, startWorld } from './world.js'

const keys = { options: { development: true } }

it('is told where it is: the service by its name, the host with its port, the time', async () => {
  const world = await startWorld(keys)
  const before = Date.now()
  const me = (await world.browser().me()) as unknown as { readonly [name: string]: unknown }
  const { host } = new URL(world.url)
  expect({ ...me, now: 0 }).toEqual({ service: 'flights', host, now: 0, takes_keys: true })
  expect(Number(me['now'])).toBeGreaterThanOrEqual(before)
  const manifest = world.fixture.service.manifest as unknown as { service_identity: object }
  manifest.service_identity = { ...manifest.service_identity, name: 'Flights of Faro' }
  expect(await world.browser().me()).toMatchObject({ service: 'Flights of Faro' })
})

it('is told the roles of the person, and what a person may decide about: nothing that asks for no approval', async () => {
  const world = await startWorld({
    ...keys,
    given: { capabilities: { ...CAPABILITIES, plain: capability({ inputs: [input('x')] }) } as never },
  })
  const [operator, bob] = [world.browser(), world.browser()]
  expect((await operator.byKey('op-key'))['person']).toMatchObject({
    roles: ['operator'],
    may_approve: [],
    effects: {},
  })
  expect((await bob.byKey('bob-key'))['person']).toMatchObject({ roles: [], may_approve: ['book'], effects: { book: { type: 'irreversible' } } }) // prettier-ignore
})

it('has pages by every address, files by their names, and nothing for what is no endpoint', async () => {
  const { get, request, post } = (await startWorld(keys)).browser()
  expect([(await get('/-/console')).status, (await get('/-/console')).headers.get('location')]).toEqual([303, '/-/console/']) // prettier-ignore
  expect((await get('/-/console?x=1')).headers.get('location')).toBe('/-/console/')
  expect((await get('/-/console')).headers.get('cache-control')).toBe('no-store')
  const page = await get('/-/console/approvals/apr_1?x=1')
  expect([page.status, page.text.includes('<div id="console">')]).toEqual([200, true])
  expect(Object.fromEntries(['x-robots-tag', 'cross-origin-resource-policy', 'cross-origin-opener-policy', 'referrer-policy', 'x-frame-options', 'x-content-type-options', 'cache-control', 'vary'].map((name) => [name, page.headers.get(name)]))).toEqual({
    'x-robots-tag': 'noindex',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache',
    vary: 'accept-encoding',
  }) // prettier-ignore
  const head = await request('HEAD', '/-/console/')
  expect([head.status, head.text]).toEqual([200, ''])
  expect((await get('/-/console/assets/none.js')).status).toBe(404)
  expect((await get('/-/console/api/none')).body).toMatchObject({ failure: { type: 'not_found', detail: 'Page not found.' } }) // prettier-ignore
  expect((await post('/-/console/nowhere')).body).toMatchObject({ failure: { detail: 'The pages of the console take GET only.' } }) // prettier-ignore
  expect((await post('/-/console/api/me')).body).toMatchObject({ failure: { detail: 'This endpoint takes GET only.' } })
  const first = await get('/-/console/assets/console.css')
  const again = await get('/-/console/assets/console.css', { headers: { 'if-none-match': first.headers.get('etag')! } })
  expect([first.headers.get('content-type'), first.headers.get('content-encoding'), again.status]).toEqual(['text/css; charset=utf-8', 'gzip', 304]) // prettier-ignore
  const plain = await get('/-/console/assets/console.css', { headers: { 'accept-encoding': 'identity' } })
  expect([plain.headers.get('content-encoding'), plain.text === first.text]).toEqual([null, true])
})

it.each([
  ['/-/console/', 'text/html; charset=utf-8'],
  ['/-/console/assets/app.js', 'text/javascript; charset=utf-8'],
  ['/-/console/assets/console.css', 'text/css; charset=utf-8'],
  ['/-/console/assets/icon.svg', 'image/svg+xml'],
])('%s is %s', async (path, type) => {
  const { get } = (await startWorld(keys)).browser()
  const { status, headers } = await get(path)
  expect([status, headers.get('content-type')]).toEqual([200, type])
})
