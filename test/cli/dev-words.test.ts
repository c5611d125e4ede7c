/** What `svc dev` gives a developer: files that are theirs alone, identities, a first screen, keys that decide. */
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { keepAgentToken } from '../../src/cli/dev/agent-token.js'
import { firstScreen } from '../../src/cli/dev/first-screen.js'
import { listenToKeys, readsHotKeys } from '../../src/cli/dev/hot-keys.js'
import { devKeyOf, makeIdentities } from '../../src/cli/dev/identities.js'
import { capability } from '../runtime/fixture/manifest.js'

const policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 900, max_uses: 1 } as const // prettier-ignore
const CAPABILITIES = {
  search: capability({ minimum_scope: ['a.read'] }),
  book: capability({ minimum_scope: ['a.read', 'a.write'], approval: { required: 'always', approvers: 2, tiers: [{ cost_above: 5, approver_scope: 'gold' }], grant_policy: policy } }),
} as never // prettier-ignore

let root = ''
const own = [{ id: 'ana', principal: 'human:ana', sha256: 'a'.repeat(64), scopes: [] }, { id: 'dev-auditor', principal: 'human:old', sha256: 'b'.repeat(64), scopes: [] }] // prettier-ignore
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-dev-words-'))
  vi.stubEnv('SVC_API_KEYS', undefined)
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  rmSync(root, { recursive: true })
})
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const modeOf = (path: string) => (statSync(join(root, path)).mode & 0o777).toString(8)

it('makes no identity where there is no file of API keys', async () => {
  expect(await makeIdentities(root, CAPABILITIES)).toBeUndefined()
  expect(readdirSync(root)).toEqual([])
})

it('makes an identity for every role beside the keys that are there, in a folder that git ignores', async () => {
  writeFileSync(join(root, 'own.json'), JSON.stringify(own), { mode: 0o600 })
  writeFileSync(join(root, '.env'), 'SVC_API_KEYS=own.json\n')
  expect(await makeIdentities(root, CAPABILITIES)).toEqual({ SVC_API_KEYS: '.svc-dev/api-keys.json' })
  expect(readdirSync(join(root, '.svc-dev')).toSorted()).toEqual(['.gitignore', 'api-keys.json', 'approver.key', 'approver2.key', 'auditor.key', 'developer.key', 'operator.key']) // prettier-ignore
  expect([read('.svc-dev/.gitignore'), modeOf('.svc-dev'), modeOf('.svc-dev/api-keys.json'), modeOf('.svc-dev/developer.key')]).toEqual(['*\n', '700', '600', '600']) // prettier-ignore
  const hash = (name: string) => createHash('sha256').update(devKeyOf(root, name)).digest('hex')
  const approving = ['approver:search', 'approver:book', 'gold']
  expect(JSON.parse(read('.svc-dev/api-keys.json'))).toEqual([
    own[0],
    { id: 'dev-developer', principal: 'human:developer@localhost', sha256: hash('developer'), scopes: ['a.read', 'a.write'], development: true },
    { id: 'dev-approver', principal: 'human:approver@localhost', sha256: hash('approver'), scopes: approving, development: true },
    { id: 'dev-approver2', principal: 'human:approver2@localhost', sha256: hash('approver2'), scopes: approving, development: true },
    { id: 'dev-auditor', principal: 'human:auditor@localhost', sha256: hash('auditor'), scopes: [], roles: ['auditor'], development: true },
    { id: 'dev-operator', principal: 'human:operator@localhost', sha256: hash('operator'), scopes: [], roles: ['operator'], development: true },
  ]) // prettier-ignore
  const key = devKeyOf(root, 'developer')
  expect(key).toMatch(/^svc_[\w-]{32}$/u)
  await makeIdentities(root, CAPABILITIES)
  expect(devKeyOf(root, 'developer')).toBe(key)
  vi.stubEnv('SVC_API_KEYS', 'none.json')
  expect(await makeIdentities(root, CAPABILITIES)).toBeUndefined()
})

it('says on its first screen where it is, and who one may be', () => {
  const identities = [{ name: 'developer', command: 'svc token issue --scope …' }]
  const all = { url: 'http://127.0.0.1:4101', hasConsole: true, hasIdentities: true, identities, hasAgent: true, hasHotKeys: true } // prettier-ignore
  expect(firstScreen(all).split('\n')).toEqual([
    '',
    '  API       http://127.0.0.1:4101',
    '  Console   http://127.0.0.1:4101/-/console/  sign in with a key of .svc-dev/',
    '  agent     SVC_URL=http://127.0.0.1:4101 SVC_TOKEN_FILE=.svc-dev/agent.token npx svc call …',
    '  developer SVC_URL=http://127.0.0.1:4101 SVC_TOKEN_FILE=.svc-dev/developer.key npx svc token issue --scope …',
    '  Keys      s call as the agent, a approve, t audit trail',
    '            c console, i identities, r restart, q quit',
    '',
  ])
  const url = 'http://127.0.0.1:4100'
  expect(firstScreen({ ...all, url, hasAgent: false, hasConsole: false, hasHotKeys: false }).split('\n')).toEqual([
    '',
    '  API       http://127.0.0.1:4100',
    '  developer SVC_TOKEN_FILE=.svc-dev/developer.key npx svc token issue --scope …',
    '',
  ])
  expect(firstScreen({ ...all, url, hasIdentities: false, hasHotKeys: false }).split('\n')).toEqual([
    '',
    '  API       http://127.0.0.1:4100',
    '  Console   http://127.0.0.1:4100/-/console/',
    '  There is no file of API keys: sign in with svc login, or at the console.',
    '',
  ])
})

/** A service that gives these answers, and what it was asked. */
function serviceOf(...answers: readonly object[]) {
  const asked: unknown[] = []
  const left = [...answers]
  vi.stubGlobal('fetch', async (address: string | URL | Request, init?: RequestInit) => {
    const request = new Request(address, init)
    const text = await request.text()
    const { pathname, search } = new URL(request.url)
    asked.push([request.headers.get('authorization'), `${request.method} ${pathname}${search}`, ...(text === '' || text === '{}' ? [] : [JSON.parse(text)])]) // prettier-ignore
    const answer = left.shift() ?? {}
    return Response.json(answer, { status: 'failure' in answer ? 403 : 200 })
  })
  return asked
}
const URL_OF = 'http://127.0.0.1:4100'
const REFUSED = { success: false, failure: { type: 'token_expired', detail: 'It has ended.', retry: false, resolution: { action: 'obtain_token', recovery_class: 'terminal' } } } // prettier-ignore

it.each([
  ['where a capability asks for one, and all costs are in one currency', ['EUR'], 'cost_ceiling', { budget: { currency: 'EUR', max_amount: 1000 } }],
  ['not where costs are in two currencies', ['EUR', 'USD'], 'cost_ceiling', {}],
  ['not where none asks for one', ['EUR'], 'stronger_delegation_required', {}],
  ['not where nothing has a cost', [], 'cost_ceiling', {}],
])('keeps a token for the agent with a budget %s, and makes it anew before it ends', async (_, currencies, type, budget) => {
  vi.useFakeTimers({ now: Date.parse('2030-01-01T00:00:00Z'), toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  writeFileSync(join(root, 'api-keys.json'), '[]', { mode: 0o600 })
  await makeIdentities(root, CAPABILITIES)
  const costs = currencies.map((currency) => capability({ minimum_scope: ['b'], cost: { certainty: 'fixed', financial: { currency, amount: 1 } } }))
  const capabilities = { ...(CAPABILITIES as object), ...costs, ceiling: capability({ minimum_scope: ['c'], control_requirements: [{ type }] as never }) }
  const issued = (token: string, expires_at: string) => ({ issued: true, token, token_id: 't', expires_at })
  const asked = serviceOf(issued('one', '2030-01-01T01:00:00Z'), issued('two', '2030-01-01T02:00:00Z'))
  const forget = await keepAgentToken(root, URL_OF, capabilities as never)
  const scope = ['a.read', 'a.write', ...(currencies.length > 0 ? ['b'] : []), 'c']
  const asks = [`Bearer ${devKeyOf(root, 'developer')}`, 'POST /svc/tokens', { scope: expect.toSatisfy((given: readonly string[]) => given.toSorted().join() === scope.toSorted().join()) as unknown, subject: 'agent:assistant', ...budget }]
  expect(asked).toEqual([asks])
  expect([read('.svc-dev/agent.token'), modeOf('.svc-dev/agent.token')]).toEqual(['one\n', '600'])
  await vi.advanceTimersByTimeAsync(44 * 60_000)
  expect(asked).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(60_000)
  await expect.poll(() => read('.svc-dev/agent.token')).toBe('two\n')
  forget()
  await vi.advanceTimersByTimeAsync(60 * 60_000)
  expect(asked).toHaveLength(2)
}) // prettier-ignore

it('keeps a token of two months, and buys no other meanwhile', async () => {
  vi.useFakeTimers({ now: Date.parse('2030-01-01T00:00:00Z'), toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  writeFileSync(join(root, 'api-keys.json'), '[]', { mode: 0o600 })
  await makeIdentities(root, CAPABILITIES)
  const issued = { issued: true, token: 'one', token_id: 't', expires_at: '2030-03-01T00:00:00Z' }
  const asked = serviceOf(issued, issued)
  const forget = await keepAgentToken(root, URL_OF, CAPABILITIES)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toHaveLength(1)
  forget()
})

it('fails where no token is given for the agent', async () => {
  writeFileSync(join(root, 'api-keys.json'), '[]', { mode: 0o600 })
  await makeIdentities(root, CAPABILITIES)
  serviceOf(REFUSED)
  await expect(keepAgentToken(root, URL_OF, CAPABILITIES)).rejects.toThrow('It has ended.')
})

it('reads keys one by one at a terminal alone; one without a meaning does nothing, and trouble is said', async () => {
  expect([readsHotKeys({ isTTY: true } as never), readsHotKeys({} as never)]).toEqual([true, false])
  const did: string[] = []
  const { stdin } = process
  const raw = vi.fn()
  const had = Object.getOwnPropertyDescriptor(stdin, 'setRawMode')
  Object.defineProperty(stdin, 'setRawMode', { value: raw, configurable: true })
  const trouble = () => Promise.reject(new Error('No.'))
  const end = listenToKeys({ a: () => void did.push('a'), x: trouble }, () => did.push('quit'), (line) => did.push(line)) // prettier-ignore
  stdin.emit('data', Buffer.from('az'))
  stdin.emit('data', Buffer.from('toString'))
  stdin.emit('data', Buffer.from('x\u0003'))
  await expect.poll(() => did).toEqual(['a', 'quit', 'svc: No.'])
  end()
  stdin.emit('data', Buffer.from('a'))
  expect([did.length, raw.mock.calls]).toEqual([3, [[true], [false]]])
  expect(stdin.isPaused()).toBe(true)
  if (had === undefined) delete (stdin as { setRawMode?: unknown }).setRawMode
  else Object.defineProperty(stdin, 'setRawMode', had)
})
