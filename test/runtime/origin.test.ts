/** For whom a request may be, and from whose pages (decisions, section 9). */
import { expect, it } from 'vitest'
import { fetchHandler } from '../../src/runtime/http/fetch.js'
import type { HttpRequest } from '../../src/runtime/http/exchange.js'
import { isLoopback } from '../../src/runtime/net/loopback.js'
import { assertHost, assertOrigin, assertServedHere } from '../../src/runtime/http/origin.js'
import type { Service } from '../../src/runtime/service.js'
import { startFixture } from './fixture/service.js'

const requestWith = (headers: { readonly [name: string]: string }, client = '10.0.0.1') =>
  ({ client, header: (name: string) => headers[name] ?? null }) as HttpRequest
const served = (hosts?: readonly string[], origins?: readonly string[], site: Service['site'] = {}) =>
  ({ hosts: hosts && new Set(hosts), origins: origins && new Set(origins), site }) as const
/** A service whose publicUrl is https://public.example. */
const PUBLIC = { origin: 'https://public.example', host: 'public.example' }
const isTaken = (assert: () => void): boolean => {
  try {
    assert()
    return true
  } catch {
    return false
  }
}
const HOSTS = ['svc.example']

it.each([
  ['no page', HOSTS, undefined, undefined, true],
  ['a page of the service', HOSTS, undefined, 'https://svc.example', true],
  ['a page of another host', HOSTS, undefined, 'https://evil.example', false],
  ['a page of the service by its default port', HOSTS, undefined, 'https://svc.example:443', true],
  ['a page of the service without TLS', HOSTS, undefined, 'http://svc.example', true],
  ['a page of the same host on another port', HOSTS, undefined, 'https://svc.example:8443', false],
  ['a page of a service on the port that is listed', ['svc.example:8443'], undefined, 'https://svc.example:8443', true],
  ['a page of the same host on the default port', ['svc.example:8443'], undefined, 'https://svc.example', false],
  ['a page of the same host on a third port', ['svc.example:8443'], undefined, 'https://svc.example:9000', false],
  ['a page of the second host', ['svc.example', '[::1]:4100'], undefined, 'http://[::1]:4100', true],
  ['a page of the second host on another port', ['svc.example', '[::1]:4100'], undefined, 'http://[::1]:4101', false],
  ['a page of a host whose name begins so', HOSTS, undefined, 'https://svc.example.evil', false],
  ['a page of a host whose name ends so', HOSTS, undefined, 'https://evil-svc.example', false],
  ['a page of no host', HOSTS, undefined, 'null', false],
  ['a page that is allowed', HOSTS, ['https://app.example'], 'https://app.example', true],
  ['a page of an allowed host on another port', HOSTS, ['https://app.example'], 'https://app.example:8443', false],
  ['a page of an allowed host without TLS', HOSTS, ['https://app.example'], 'http://app.example', false],
  ['the second page that is allowed', HOSTS, ['https://a.example', 'https://b.example'], 'https://b.example', true],
  ['a page beside the one that is allowed', HOSTS, ['https://app.example'], 'https://other.example', false],
  ['any page, where no hosts are listed', undefined, undefined, 'https://evil.example', true],
] as const)('%s may ask: %j %j %j is %s', (_, hosts, origins, origin, taken) => {
  const request = requestWith(origin === undefined ? {} : { origin })
  expect(isTaken(() => assertOrigin(served(hosts, origins), request))).toBe(taken)
})

it.each([
  [HOSTS, 'svc.example', true],
  [HOSTS, 'SVC.Example', true],
  [HOSTS, 'svc.example:80', true],
  [HOSTS, 'svc.example:443', true],
  [HOSTS, 'svc.example:8443', false],
  [HOSTS, 'svc.example:', true],
  [HOSTS, 'svc.example/', false],
  [HOSTS, 'x@svc.example', false],
  [HOSTS, 'svc.example, evil.example', false],
  [['[::1]:4100'], '[0:0::1]:4100', true],
  [HOSTS, 'public.example', false],
  [HOSTS, undefined, false],
  [undefined, 'evil.example', true],
] as const)('of the hosts %j, %j is served: %s', (hosts, host, taken) => {
  expect(isTaken(() => assertHost(served(hosts), requestWith(host === undefined ? {} : { host })))).toBe(taken)
})

it.each([
  ['a client elsewhere, by any name', undefined, undefined, { host: 'svc.example' }, '10.0.0.1', true],
  ['a client here, by a loopback name', undefined, undefined, { host: 'localhost:4100' }, '127.0.0.1', true],
  ['a client here, by another name', undefined, undefined, { host: 'evil.example' }, '127.0.0.1', false],
  ['a client here over IPv6, by another name', undefined, undefined, { host: 'evil.example' }, '0:0:0:0::/64', false],
  ['a page here', undefined, undefined, { host: 'localhost', origin: 'http://localhost:3000' }, '127.0.0.1', true],
  ['a page elsewhere', undefined, undefined, { host: 'localhost', origin: 'https://evil.example' }, '10.0.0.1', false],
  ['a page elsewhere that is allowed', undefined, ['https://app.example'], { host: 'localhost', origin: 'https://app.example' }, '127.0.0.1', true],
  ['a client here, by a name that is listed', HOSTS, undefined, { host: 'svc.example' }, '127.0.0.1', true],
  ['a client here, by a loopback name that is not', HOSTS, undefined, { host: 'localhost' }, '127.0.0.1', false],
] as const)('on a desktop: %s', (_, hosts, origins, headers, client, taken) => {
  expect(isTaken(() => assertServedHere(served(hosts, origins), requestWith(headers, client)))).toBe(taken)
}) // prettier-ignore

it.each([
  ['a proxy here, by the public name', undefined, { host: 'public.example' }, true],
  ['a proxy here, by the public name with its port', undefined, { host: 'Public.Example:443' }, true],
  ['a proxy here, by another name', undefined, { host: 'evil.example' }, false],
  ['a proxy here, by the public name beside listed ones', HOSTS, { host: 'public.example' }, true],
  ['a page of the public address', undefined, { host: 'public.example', origin: 'https://public.example' }, true],
  ['the same without TLS', undefined, { host: 'public.example', origin: 'http://public.example' }, false],
] as const)('with a public address: %s', (_, hosts, headers, taken) => {
  const service = served(hosts, undefined, PUBLIC)
  expect(isTaken(() => assertServedHere(service, requestWith(headers, '127.0.0.1')))).toBe(taken)
})

it('names the host that is not served, and the setting to change', () => {
  const ask = () => assertServedHere(served(), requestWith({ host: 'shop.example' }, '127.0.0.1'))
  expect(ask).toThrow(
    'This service is not served under the host name "shop.example". Set SVC_PUBLIC_URL to its address, or add the name to hosts.',
  )
})

it('refuses to start with a host that is none', async () => {
  await expect(startFixture({ hosts: ['https://svc.example'] })).rejects.toThrow(
    'The host "https://svc.example" must be a name and perhaps a port, as svc.example:8443.',
  )
})

it('compares listed hosts as they are meant', async () => {
  const { call } = await startFixture({ hosts: ['SVC.example:443'] })
  expect((await call('GET', '/svc/manifest', { headers: { host: 'svc.example' } })).status).toBe(200)
})

it.each([
  ['/-/live', 'svc.example', 200],
  ['/-/live', '10.0.0.7:4150', 200],
  ['/-/ready', '10.0.0.7:4150', 200],
  ['/svc/manifest', 'svc.example', 200],
  ['/svc/manifest', '10.0.0.7:4150', 403],
  ['/.well-known/svc', 'evil.example', 403],
])('%s under the host %s is answered with %i: whoever looks whether the service lives knows its address alone', async (path, host, status) => {
  const { service } = await startFixture({ hosts: HOSTS })
  const answer = fetchHandler(service)
  const reply = await answer(new Request(`https://svc.example${path}`, { headers: { host } }))
  expect(reply.status).toBe(status)
}) // prettier-ignore

it.each([
  ['http://localhost:4100', true],
  ['http://127.0.0.1', true],
  ['http://127.255.0.9:1', true],
  ['http://[::1]:4100', true],
  ['http://localhost.evil.example', false],
  ['http://evil-localhost', false],
  ['http://127.0.0.1.evil.example', false],
  ['http://128.0.0.1', false],
  ['http://[::2]', false],
  ['localhost', false],
])('%s stays on this machine: %s', (address, stays) => {
  expect(isLoopback(address)).toBe(stays)
})
