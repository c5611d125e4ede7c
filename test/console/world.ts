/** A service with its console on a socket, and browsers without a screen: they keep cookies and say their origin. */
import { onTestFinished } from 'vitest'
import { webConsole, type ConsoleOptions } from '../../src/console/index.js'
import { serve, type ServeOptions } from '../../src/runtime/node.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { capability, input } from '../runtime/fixture/manifest.js'
import { startFixture, type Given, type Reading } from '../runtime/fixture/service.js'

const policy = {
  allowed_grant_types: ['one_time', 'session_bound'],
  default_grant_type: 'one_time',
  expires_in_seconds: 900,
  max_uses: 3,
} as const

export const CAPABILITIES = {
  search: capability(),
  book: capability({
    inputs: [input('hotel')],
    side_effect: { type: 'irreversible' },
    approval: { required: 'always', grant_policy: policy },
  }),
}

interface WorldGiven {
  readonly given?: Given
  readonly options?: ConsoleOptions
  readonly serving?: Partial<ServeOptions>
}

/** Time goes on as it does, plus whatever a test lets pass. */
export async function startWorld({ given = {}, options = {}, serving = {} }: WorldGiven = {}) {
  const shift = { ms: 0 }
  const clock = () => Date.now() + shift.ms
  const fixture = await startFixture({
    clock,
    storage: await openSqlite({ file: ':memory:', clock }),
    capabilities: CAPABILITIES as never,
    ...given,
    limits: { shutdownMs: 40, ...given.limits },
  })
  const { url, close } = await serve(fixture.service, { port: 0, ...serving, surfaces: [webConsole(options)] })
  onTestFinished(close)
  return {
    fixture,
    url,
    pass: (ms: number) => void (shift.ms += ms),
    browser: (origin?: string) => browserAt(url, origin),
  }
}

export type World = Awaited<ReturnType<typeof startWorld>>

interface Sent {
  readonly headers?: { readonly [name: string]: string }
  readonly body?: unknown
}

export interface Seen {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Reading
}

/** A browser at the console: same-origin requests, cookies of each origin, no redirect followed unless it is told to. */
export function browserAt(url: string, origin = url) {
  const jar = new Map<string, string>()
  let csrf = ''
  const jarOf = (address: string) => new URL(address).host
  const request = async (method: string, target: string, { headers = {}, body }: Sent = {}): Promise<Seen> => {
    const address = new URL(target, url).href
    const cookie = [...jar].filter(([name]) => name.startsWith(`${jarOf(address)} `)).map(([name, value]) => `${name.split(' ')[1]}=${value}`) // prettier-ignore
    const response = await fetch(address, {
      method,
      redirect: 'manual',
      headers: {
        ...(cookie.length > 0 && { cookie: cookie.join('; ') }),
        ...(method === 'POST' && { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', 'x-csrf-token': csrf }), // prettier-ignore
        ...headers,
      },
      ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/u.exec(line) ?? []
      if (value === '' || /Max-Age=0/u.test(line)) jar.delete(`${jarOf(address)} ${name}`)
      else jar.set(`${jarOf(address)} ${name}`, value)
    }
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    return { status: response.status, headers: response.headers, text, body: (isJson ? JSON.parse(text) : undefined) as Reading } // prettier-ignore
  }
  const get = (target: string, sent: Sent = {}) => request('GET', target, sent)
  const post = (target: string, body?: unknown, headers: Sent['headers'] = {}) =>
    request('POST', target, { body, headers })
  const me = async () => {
    const { body } = await get('/-/console/api/me')
    csrf = (body['person']?.['csrf'] as unknown as string | undefined) ?? ''
    return body
  }
  return {
    jar, get, post, me, request,
    /** Signs in with an API key, and reads who that is. */
    byKey: async (key: string) => {
      await post('/-/console/api/sign-in/key', { key })
      return me()
    },
    /** Signs in at the provider as an account, and gives the page that it comes back to. */
    byProvider: async (account: string, page?: string) => {
      const begun = await post('/-/console/api/sign-in/provider', page === undefined ? {} : { page })
      let location = begun.body['location'] as unknown as string
      for (let step = 0; step < 10 && !location.startsWith(`${url}/-/console/callback`); step++) {
        const seen = await get(location)
        const next = seen.headers.get('location') ?? /href="(\/pick\/[\w-]+\/)/u.exec(seen.text)?.[1]?.concat(account)
        location = new URL(next ?? '', location).href
      }
      const back = await get(location)
      await me()
      return { back, callback: location }
    },
  } // prettier-ignore
}

export type Browser = ReturnType<typeof browserAt>
