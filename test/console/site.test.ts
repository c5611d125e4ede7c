/** From where the console answers, and from where it takes keys and changes (threat N16). */
import { describe, expect, it } from 'vitest'
import { isConsolePath } from '../../src/console/answer.js'
import { serviceFor } from '../../src/console/api/on-behalf.js'
import type { Setting } from '../../src/console/setting.js'
import { assertOwnOrigin, assertSite, takesKeys } from '../../src/console/site.js'
import type { HttpRequest } from '../../src/runtime/http/exchange.js'
import { Refusal } from '../../src/runtime/errors/refusal.js'

interface Sent {
  readonly client?: string
  readonly [header: string]: string | undefined
}

const request = ({ client = '127.0.0.1', ...headers }: Sent) =>
  ({ client, header: (name: string) => headers[name] ?? null }) as HttpRequest

const setting = (given: Partial<Setting> = {}): Setting => {
  const { isPublic = false } = given
  const origin = () => (isPublic ? 'https://svc.example' : 'http://127.0.0.1:4100')
  return { service: {}, development: true, listensOnLoopback: true, provider: undefined, isPublic, origin, ...given } as never // prettier-ignore
}

const PROVIDER = { provider: { issuer: 'https://idp.example' } as never }
const PUBLIC = { ...PROVIDER, isPublic: true }
const HERE = { host: 'localhost:4100' }
const AWAY = { host: 'svc.example' }

const refusal = (act: () => void): string | undefined => {
  try {
    act()
    return undefined
  } catch (error) {
    return error instanceof Refusal ? error.failure.type : String(error)
  }
}

describe('the console answers', () => {
  it.each<[string, Partial<Setting>, Sent, string | undefined]>([
    ['a browser of this machine', {}, HERE, undefined],
    ['it by another loopback name', {}, { host: '127.0.0.1:4100' }, undefined],
    ['nobody elsewhere, without a provider', {}, { ...HERE, client: '203.0.113.9' }, 'not_found'],
    ['nobody by another name, without a provider', {}, AWAY, 'not_found'],
    ['nobody without a name, without a provider', {}, {}, 'not_found'],
    ['nobody through a proxy, without a provider', {}, { ...HERE, 'x-real-ip': '203.0.113.9' }, 'not_found'],
    ['a browser elsewhere, with a provider', PROVIDER, { ...HERE, client: '203.0.113.9' }, undefined],
    ['nobody by another name, without a publicUrl', PROVIDER, AWAY, 'insufficient_authority'],
    ['anybody by the name of its publicUrl', PUBLIC, { ...AWAY, client: '203.0.113.9' }, undefined],
    ['a proxy that asks by a name of its own', PUBLIC, { host: 'svc.internal:8080' }, undefined],
  ])('%s', (_, given, sent, refused) => {
    expect(refusal(() => assertSite(setting(given), request(sent)))).toBe(refused)
  }) // prettier-ignore
})

describe('keys are taken', () => {
  it.each<[string, Partial<Setting>, Sent, boolean]>([
    ['in development, from this machine', {}, HERE, true],
    ['where the publicUrl is of this machine', { isPublic: true, origin: () => 'http://localhost:8080' }, HERE, true],
    ['not in production', { development: false }, HERE, false],
    ['not where others reach the listener', { listensOnLoopback: false }, HERE, false],
    ['not where people reach the service by another name', { isPublic: true }, HERE, false],
    ['not from elsewhere', {}, { ...HERE, client: '203.0.113.9' }, false],
    ['not by another name', {}, AWAY, false],
    ...['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'].map(
      (name): [string, Partial<Setting>, Sent, boolean] => [`not through a proxy that sends ${name}`, {}, { ...HERE, [name]: 'x' }, false],
    ),
  ])('%s', (_, given, sent, taken) => {
    expect(takesKeys(setting(given), request(sent))).toBe(taken)
  }) // prettier-ignore
})

describe('a change is taken', () => {
  it.each<[string, Partial<Setting>, Sent, boolean]>([
    ['from a page of the console', {}, { ...HERE, origin: 'http://127.0.0.1:4100' }, true],
    ['from its page at another loopback name', {}, { ...HERE, origin: 'http://localhost:4100' }, true],
    ['from its page, as the browser says', {}, { ...HERE, origin: 'http://localhost:4100', 'sec-fetch-site': 'same-origin' }, true],
    ['not from its page, where the browser says otherwise', {}, { ...HERE, origin: 'http://localhost:4100', 'sec-fetch-site': 'same-site' }, false],
    ['not from a page at another port', {}, { ...HERE, origin: 'http://localhost:4101' }, false],
    ['not from a page over https', {}, { ...HERE, origin: 'https://localhost:4100' }, false],
    ['not from a page of another name that asks by it', {}, { ...AWAY, origin: 'http://svc.example' }, false],
    ['not without an origin', {}, HERE, false],
    ['from the publicUrl', PUBLIC, { ...AWAY, origin: 'https://svc.example' }, true],
    ['not from a loopback name, where there is a publicUrl', PUBLIC, { ...HERE, origin: 'http://localhost:4100' }, false],
  ])('%s', (_, given, sent, taken) => {
    expect(refusal(() => assertOwnOrigin(setting(given), request(sent)))).toBe(taken ? undefined : 'insufficient_authority')
  }) // prettier-ignore
})

it.each([
  ['/-/console', true], ['/-/console/', true], ['/-/console?a', true], ['/-/console/assets/app.js', true],
  ['/-/consoles', false], ['/-/console.html', false], ['/-/consol', false], ['/svc/-/console', false],
])('%s is of the console: %s', (target, isOf) => {
  expect(isConsolePath(target)).toBe(isOf)
}) // prettier-ignore

it('a session stands for its person to endpoints that it asks, and for nobody by another credential', async () => {
  const known = { principal: 'human:ana' }
  const visit = { setting: { service: {} }, person: { known } } as never
  const { bootstrap } = serviceFor(visit)
  expect(await bootstrap('console-session', '')).toBe(known)
  expect(await bootstrap('another', '')).toBeUndefined()
})
