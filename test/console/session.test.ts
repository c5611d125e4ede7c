/** The session of a person: its cookie, its times, and what each endpoint is to it. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { csvLine, CSV_HEAD } from '../../src/console/api/trail-csv.js'
import { endingOf, hasOutcome } from '../../src/console/entry-outcome.js'
import { ROUTES } from '../../src/console/routes.js'
import { clearCookie, cookieIn, setCookie } from '../../src/console/session/cookie.js'
import { beginSession, noteUse, personOf } from '../../src/console/session/person.js'
import { pageIn } from '../../src/console/sign-in/under-way.js'
import type { AnsweredEntry } from '../../src/protocol/audit.js'
import { startWorld } from './world.js'

const at = (origin: string) => ({ origin: () => origin, base: '' }) as never
const HTTPS = at('https://svc.example')
const LOCAL = at('http://127.0.0.1:4100')
const sent = (cookie: string | null) => ({ header: () => cookie }) as never

it('endpoints are for anybody or who has signed in; those that a page asks by itself keep no session alive', () => {
  expect(ROUTES.map((route) => `${route.method} ${route.path} ${'anybody' in route ? 'anybody' : route.isPassive === true ? 'passive' : 'signed in'}`)).toEqual([
    'GET /api/me anybody',
    'POST /api/sign-in/provider anybody',
    'GET /callback anybody',
    'POST /api/sign-in/key anybody',
    'POST /api/sign-out signed in',
    'GET /api/approvals passive',
    'GET /api/approvals/{id} passive',
    'POST /api/approvals/{id}/approve signed in',
    'POST /api/approvals/{id}/deny signed in',
    'POST /api/approvals/{id}/withdraw signed in',
    'GET /api/trail passive',
    'GET /api/trail/stream passive',
    'GET /api/trail/export signed in',
    'GET /api/tokens passive',
    'POST /api/tokens/revoke signed in',
    'GET /api/connections passive',
    'POST /api/connections/connect signed in',
    'POST /api/connections/{id}/disconnect signed in',
    'GET /connections/callback anybody',
    'GET /api/overview passive',
    'GET /api/manifest passive',
    'GET /api/tools passive',
    'POST /api/try/permission signed in',
    'POST /api/try/call signed in',
  ])
}) // prettier-ignore

describe('the cookie', () => {
  it('is named for its host over https, for its port on loopback', () => {
    expect(setCookie(HTTPS, 'session', 'v', 60)).toEqual(['set-cookie', '__Host-svc-console-session=v; Path=/; HttpOnly; SameSite=Lax; Max-Age=60; Secure']) // prettier-ignore
    expect(setCookie(LOCAL, 'sign-in', 'v', 60)).toEqual(['set-cookie', 'svc-console-4100-sign-in=v; Path=/; HttpOnly; SameSite=Lax; Max-Age=60']) // prettier-ignore
    expect(clearCookie(LOCAL, 'session')).toEqual(['set-cookie', 'svc-console-4100-session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0']) // prettier-ignore
  })

  it.each([
    ['a=b; svc-console-4100-session=v', 'v'],
    ['a=b;svc-console-4100-session=v', 'v'],
    ['a=b,svc-console-4100-session=v', undefined],
    ['a=b, svc-console-4100-session=v', undefined],
    ['a=b,svc-console-4100-session=v; svc-console-4100-session=w', 'w'],
    ['a="b;c,svc-console-4100-session=v"; svc-console-4100-session=w', 'w'],
    ['svc-console-4100-session=v; svc-console-4100-session=w', undefined],
    ['svc-console-4101-session=v', undefined],
    ['svc-console-4100-sign-in=v', undefined],
    ['svc-console-4100-session=', undefined],
    ['svc-console-4100-session=a"b', undefined],
    [`svc-console-4100-session=${'a'.repeat(4000)}`, 'a'.repeat(4000)],
    [`svc-console-4100-session=${'a'.repeat(4001)}`, undefined],
    [null, undefined],
  ])('of %j', (cookie, value) => {
    expect(cookieIn(LOCAL, sent(cookie), 'session')).toBe(value)
  })
})

describe('a session', () => {
  const known = { principal: 'human:ana', credential: { issuer: 'https://one.example', subject: 'u' }, scopes: ['a'], caller_classes: ['c'], roles: ['auditor'] } as never // prettier-ignore
  function settingOf(session?: object) {
    const did: unknown[] = []
    const sessions = {
      begin: async (...given: unknown[]) => void did.push(['begin', ...given]),
      end: async (hash: string) => void did.push(['end', hash]),
      touch: async (...given: unknown[]) => void did.push(['touch', ...given]),
      look: async (hash: string) => (did.push(['look', hash]), session),
    }
    const service = { storage: { sessions }, log: { info: () => undefined } }
    return { did, setting: { service, origin: () => 'http://127.0.0.1:4100', base: '', provider: { issuer: 'https://one.example' } } as never } // prettier-ignore
  }
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')

  it('begins with a cookie that nobody stores, for 12 hours, 30 minutes without use; the one before ends', async () => {
    const { did, setting } = settingOf()
    const [, header = ''] = await beginSession(setting, known, sent('svc-console-4100-session=old'))
    const [, value = ''] = /^svc-console-4100-session=([\w-]{43}); .*Max-Age=43200$/u.exec(header) ?? []
    expect(did).toEqual([
      ['end', hash('old')],
      ['begin', { hash: hash(value), ...(known as object) }, 43_200_000, 1_800_000],
    ])
    const { credential: _, ...nobody } = known as { credential: unknown }
    await expect(beginSession(setting, nobody as never, sent(null))).rejects.toThrow('needs the credential')
  })

  it('is what was stored of it, looked up by the hash of its cookie', async () => {
    const { did, setting } = settingOf({ hash: 'h', ...(known as object) })
    expect((await personOf(setting, sent('svc-console-4100-session=c')))?.known).toEqual(known)
    expect(did).toEqual([['look', hash('c')]])
    expect(await personOf(setting, sent(null))).toBeUndefined()
  })

  it.each([
    [1_800_000, []],
    [1_740_000, []],
    [1_739_999, [['touch', 'h', 1_800_000]]],
  ])('with %i ms left without use is written anew once a minute', async (idleLeft, expected) => {
    const { did, setting } = settingOf()
    await noteUse(setting, { session: { hash: 'h', idleLeft } } as never)
    expect(did).toEqual(expected)
  })
})

it.each([
  ['/-/console/', true],
  ['/-/console/activity?outcome=refused&when=1h', true],
  [`/-/console/${'a'.repeat(490)}`, false],
  [`/-/console/${'a'.repeat(489)}`, true],
  ['/-/console', false],
  ['/-/consoles/x', false],
  ['/-/console/a#b', false],
  ['/-/console/?x=<y>', false],
  ['/-/console/a//b', false],
  ['/-/console/a/..', false],
  ['/-/console/?x=a..b', false],
])('%s may be come back to: %s', (page, may) => {
  expect(pageIn(page)).toBe(may ? page : '/-/console/')
})

it('a table of the trail has every column, in this order', () => {
  expect(CSV_HEAD).toBe('sequence,timestamp,entry_type,capability,success,failure_type,actor_key,root_principal,task_id,client_reference_id,invocation_id,parent_invocation_id,approval_request_id,token_id,cost,currency,detail,reason,parameters\r\n') // prettier-ignore
  const entry = { sequence: 1, timestamp: 'T', entry_type: 'invocation', capability: 'c', success: false, failure_type: 'f', actor_key: 'a', root_principal: 'r', task_id: 't', client_reference_id: 'cr', invocation_id: 'i', parent_invocation_id: 'p', approval_request_id: 'ap', token_id: 'to', cost_actual: { amount: 2.5, currency: 'EUR' }, detail: 'd', parameters: { a: 1 } } // prettier-ignore
  expect(csvLine({ ...entry, approval: { reason: 'why' } } as never)).toBe('1,T,invocation,c,false,f,a,r,t,cr,i,p,ap,to,2.5,EUR,d,why,"{""a"":1}"\r\n') // prettier-ignore
  expect(csvLine({ ...entry, operated: { reason: 'so' } } as never)).toContain(',d,so,')
})

it.each([
  [{ success: true, failure_type: null }, 'as its type says', []],
  [{ success: false, failure_type: null }, 'failed', ['failed']],
  [{ success: false, failure_type: 'approval_required' }, 'waiting', ['waiting']],
  [{ success: false, failure_type: 'outcome_unknown' }, 'unknown', ['failed']],
  [{ success: false, failure_type: 'rate_limited' }, 'refused', ['refused']],
  [{ success: false, failure_type: 'sold_out' }, 'failed', ['failed']],
  [{ success: false, failure_type: 'internal_error' }, 'failed', ['failed']],
  [{ success: false, failure_type: 'service_unavailable' }, 'failed', ['failed']],
  [{ success: false, failure_type: 'composition_child_failed' }, 'failed', ['failed']],
  [{ success: false, failure_type: 'composition_empty_result' }, 'failed', ['failed']],
  [{ success: false, failure_type: 'toString' }, 'failed', ['failed']],
  [{ entry_type: 'approval_requested', success: true, failure_type: null }, 'as its type says', ['waiting']],
  [{ entry_type: 'integrity_failure', success: false, failure_type: null }, 'as its type says', ['failed']],
  [{ entry_type: 'refusals', success: false, failure_type: null }, 'as its type says', ['refused']],
  [{ entry_type: 'approval_denied', success: false, failure_type: null }, 'as its type says', []],
])('an entry with %j ended %s', (ended, ending, found) => {
  const entry = { entry_type: 'invocation', ...ended } as AnsweredEntry
  expect(endingOf(entry)).toBe(ending)
  expect((['refused', 'failed', 'waiting'] as const).filter((outcome) => hasOutcome(outcome, entry))).toEqual(found)
})

it('an approval hands on the session, its uses and its time', async () => {
  const world = await startWorld({ options: { development: true } })
  const { token } = await world.fixture.root({ subject: 'agent:desk', session_id: 's-1' })
  const asked = await world.fixture.invoke('book', token, { parameters: { hotel: 'Aurora' } })
  const browser = world.browser()
  await browser.byKey('bob-key')
  const id = String(asked.body['failure']?.['approval_request_id'])
  const terms = { grant_type: 'session_bound', session_id: 's-1', max_uses: 2, expires_in_seconds: 60, reason: 'Two' }
  const granted = (await browser.post(`/-/console/api/approvals/${id}/approve`, terms)).body as unknown as { readonly [name: string]: string } // prettier-ignore
  expect(granted).toMatchObject({ grant_type: 'session_bound', session_id: 's-1', max_uses: 2 })
  expect(Date.parse(granted['expires_at']!) - Date.parse(granted['issued_at']!)).toBe(60_000)
  expect((await browser.get(`/-/console/api/approvals/${id}`)).body).toMatchObject({ reason: 'Two' })
  const listed = async (query: string) => (await browser.get(`/-/console/api/approvals?${query}`)).body['approval_requests'] // prettier-ignore
  expect([await listed('status=pending'), await listed('status=approved')]).toMatchObject([[], [{ reason: 'Two' }]])
  expect((await browser.get(`/-/console/api/approvals/${id}?wait=never`)).status).toBe(400)
})
