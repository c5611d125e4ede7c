import { createHash } from 'node:crypto'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import type { HandlerContext, RuntimeLimits } from '../../src/runtime/index.js'
import { webhook } from '../../src/runtime/events/notify.js'
import { serve } from '../../src/runtime/node.js'
import { capability, input } from '../runtime/fixture/manifest.js'
import { API_KEYS, startFixture } from '../runtime/fixture/service.js'
import { svc as command } from './command.js'

const folder = mkdtempSync(join(tmpdir(), 'svc-day-'))
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))

const policy = { allowed_grant_types: ['one_time', 'session_bound'], default_grant_type: 'one_time', expires_in_seconds: 900, max_uses: 3 } as const // prettier-ignore

const AUDITOR = { id: 'aud', sha256: createHash('sha256').update('aud-key').digest('hex'), principal: 'human:aud', roles: ['auditor'] } as const // prettier-ignore

interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

async function start(limits: Partial<RuntimeLimits> = {}) {
  const effects: unknown[] = []
  const fixture = await startFixture({
    clock: Date.now,
    limits,
    apiKeys: [...API_KEYS, AUDITOR],
    capabilities: {
      search: capability({ inputs: [input('city'), input('nights', { type: 'integer', required: false }), input('cheap', { type: 'boolean', required: false }), input('stars', { type: 'array', required: false })] }), // prettier-ignore
      plan: capability({ inputs: [input('city')], response_modes: ['unary', 'streaming'], output: { type: 'o', fields: [{ name: 'n', type: 'integer' }] } }), // prettier-ignore
      trip: capability({ inputs: [input('city')], response_modes: ['streaming'], side_effect: { type: 'irreversible' }, approval: { required: 'always', grant_policy: policy } }), // prettier-ignore
      move: capability({ side_effect: { type: 'transactional', rollback_window: 'PT1H' }, approval: { required: 'always', grant_policy: policy } }), // prettier-ignore
      pay: capability({ side_effect: { type: 'irreversible' }, cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 100 } } }), // prettier-ignore
      book: capability({ inputs: [input('hotel')], side_effect: { type: 'irreversible' }, cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 99.5 } }, approval: { required: 'always', grant_policy: policy } }), // prettier-ignore
    },
    handlers: {
      pay: () => {
        throw new Error('The wire broke.')
      },
      book: (given: unknown) => (effects.push(given), {}),
      plan: async (_: unknown, { progress }: HandlerContext) => {
        await progress({ done: 1 })
        await progress('half\u001b')
        return { n: 7 }
      },
      trip: async (_: unknown, { progress }: HandlerContext) => {
        await progress('moving')
        return {}
      },
    },
    notify: [webhook({ name: 'ops', url: 'http://127.0.0.1:1/', secret: `whsec_${'ABCDEFGH'.repeat(4)}`, events: ['approval.requested'] })], // prettier-ignore
  })
  const { url, close } = await serve(fixture.service, { port: 0 })
  onTestFinished(close)
  const svc = async (credential: string, ...args: readonly string[]): Promise<Ran> => {
    const { SVC_TOKEN_FILE: _, ...env } = process.env
    const given = { ...env, NO_COLOR: '1', SVC_URL: url, SVC_TOKEN: credential }
    const { status, stdout, stderr } = await command(args, { env: given, cwd: folder })
    return { code: status, stdout, stderr }
  }
  return { fixture, svc, effects, url }
}

describe('svc token', () => {
  it('issues a token into a file that nobody else may read, and prints nothing of it', async () => {
    const { svc } = await start()
    const file = join(folder, 'agent.token')
    const { code, stdout, stderr } = await svc('ana-key', 'token', 'issue', '--scope', 'travel.search', '--subject', 'agent:planner', '--budget', '500:EUR', '--out', file) // prettier-ignore
    expect([code, stdout, statSync(file).mode & 0o777]).toEqual([0, '', 0o600])
    const token = readFileSync(file, 'utf8').trim()
    expect(stderr).not.toContain(token)
    const inspected = await svc(token, 'token', 'inspect')
    expect(JSON.parse(inspected.stdout)).toMatchObject({ sub: 'agent:planner', constraints: { budget: { max_amount: 500 } } }) // prettier-ignore
  })

  it('shows those of a principal as a tree, to operators', async () => {
    const { svc, fixture } = await start()
    const { token, token_id } = await fixture.root({ subject: 'agent:planner' })
    const child = await fixture.issued(token, { scope: ['travel.search'], parent_token: token_id, subject: 'agent:helper' })
    const tree = await svc('op-key', 'token', 'tree', '--principal', 'human:ana')
    expect([tree.code, tree.stdout.split('\n').map((line) => line.replace(/ {2}until .*/u, ''))]).toEqual([0, [
      `${token_id}  live  agent:planner  travel.search`,
      `  ${child.token_id}  live  agent:helper  travel.search`,
      '',
    ]])
    expect((await svc('op-key', 'token', 'tree', '--principal', 'human:nobody')).stdout).toBe('No tokens.\n')
    expect(await svc(token, 'token', 'tree')).toMatchObject({ code: 1, stderr: expect.stringContaining('insufficient_authority') as string })
  }) // prettier-ignore

  it('delegates from a token: a child that ends with it, and nothing from a key', async () => {
    const { svc, fixture } = await start()
    const { token, token_id } = await fixture.root({ subject: 'agent:planner' })
    const made = await svc(
      token,
      'token',
      'delegate',
      '--scope',
      'travel.search',
      '--subject',
      'agent:helper',
      '--json',
    )
    const child = JSON.parse(made.stdout) as { token: string }
    expect(JSON.parse((await svc(child.token, 'token', 'inspect')).stdout)).toMatchObject({ sub: 'agent:helper', parent_token_id: token_id }) // prettier-ignore
    expect((await svc('ana-key', 'token', 'revoke', token_id)).code).toBe(0)
    expect((await svc(child.token, 'call', 'search', 'city=Faro')).stderr).toContain('token_revoked')
    expect(await svc('ana-key', 'token', 'delegate', '--scope', 'travel.search')).toMatchObject({ code: 2, stderr: expect.stringContaining('svc token issue') as string }) // prettier-ignore
  })

  it('revokes one, and everything below it', async () => {
    const { svc, fixture } = await start()
    const { token, token_id } = await fixture.root()
    expect((await svc('ana-key', 'token', 'revoke', token_id)).code).toBe(0)
    expect((await svc(token, 'call', 'search', 'city=Faro')).stderr).toContain('token_revoked')
  })

  it.each([
    [['issue'], "required option '--scope"],
    [['issue', '--scope', 'a', '--budget', '5'], '--budget takes an amount and a currency'],
    [['issue', '--scope', 'a', '--subject', 'x'], '--subject takes a principal'],
    [['inspect'], 'is no delegation token'],
  ])('refuses %j with what to do', async (args, message) => {
    const { svc } = await start()
    expect(await svc('ana-key', 'token', ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) as string }) // prettier-ignore
  })
})

describe('svc operate', () => {
  it('lists and ends the tokens of a key, which is blocked until the block is lifted', async () => {
    const { svc, fixture } = await start()
    const { token, token_id } = await fixture.root()
    const listed = await svc('op-key', 'operate', 'tokens', '--api-key', 'ana', '--state', 'live')
    expect([listed.code, listed.stdout]).toEqual([0, expect.stringContaining(`${token_id}  live  human:ana -> human:ana  key ana`)])
    const ended = await svc('op-key', 'operate', 'end', '--api-key', 'ana', '--reason', 'Leaked.')
    expect((await svc('op-key', 'operate', 'end', '--subject', 'agent:none', '--reason', 'Lost.')).stdout).toMatch(/^No live tokens matched\.\nBlocked subject agent:none until lifted: /u)
    const [, block] = /svc operate lift (blk_[\w-]+)/u.exec(ended.stdout) ?? []
    expect([ended.code, ended.stdout]).toEqual([0, `Revoked 1 token of api key ana and its child tokens.\nBlocked api key ana until lifted: svc operate lift ${block}\n`])
    expect((await svc(token, 'call', 'search', 'city=Faro')).stderr).toContain('token_revoked')
    expect((await svc('ana-key', 'token', 'issue', '--scope', 'travel.search')).stderr).toContain('blocked')
    expect((await svc('op-key', 'operate', 'blocks')).stdout).toContain(`${block}  blocked  api_key ana  Leaked.`)
    expect((await svc('op-key', 'operate', 'lift', block!)).stdout).toBe('Lifted: api_key ana may buy tokens again.\n')
    expect((await svc('ana-key', 'token', 'issue', '--scope', 'travel.search')).code).toBe(0)
  })

  it('takes back a grant, which then opens nothing', async () => {
    const { svc, fixture } = await start()
    const { token } = await fixture.root({ subject: 'agent:planner' })
    const { body } = await fixture.invoke('book', token, { parameters: { hotel: 'Ritz' } })
    const id = String(body['failure']!['approval_request_id'])
    const approved = await svc('bob-key', 'approvals', 'approve', id, '--json')
    const grant = (JSON.parse(approved.stdout) as { readonly grant_id: string }).grant_id
    const taken = await svc('op-key', 'operate', 'revoke-grant', grant, '--reason', 'Leaked.')
    expect([taken.code, taken.stdout]).toEqual([0, `Taken back: ${grant}.\n`])
    const call = await fixture.invoke('book', token, { parameters: { hotel: 'Ritz' }, approval_grant: grant })
    expect(call.body['failure']!['type']).toBe('approval_grant_invalid')
  })

  it('pauses and resumes a capability, as data where that is asked for', async () => {
    const { svc, fixture } = await start()
    const { token } = await fixture.root()
    const paused = await svc('op-key', 'operate', 'pause', 'search', '--reason', 'Down.', '--json')
    expect(JSON.parse(paused.stdout)).toMatchObject({ paused: [{ capability: 'search', reason: 'Down.' }] })
    expect((await svc(token, 'call', 'search', 'city=Faro')).stderr).toContain('service_unavailable')
    expect((await svc('op-key', 'operate', 'paused')).stdout).toContain('search  paused  Down.  human:op')
    expect((await svc('op-key', 'operate', 'resume', 'search', '--reason', 'Up.')).stdout).toBe('Nothing is paused.\n')
  })

  it.each([
    ['ana-key', ['tokens'], 1, 'insufficient_authority'],
    ['op-key', ['end', '--reason', 'r'], 2, 'Name exactly one of --principal'],
    ['op-key', ['end', '--api-key', 'a', '--token', 'b', '--reason', 'r'], 2, 'Name exactly one of'],
    ['op-key', ['end', '--api-key', 'a'], 2, "required option '--reason"],
    ['op-key', ['revoke-grant', 'grt_x', '--reason', 'r'], 1, 'approval_request_not_found'],
    ['op-key', ['tokens', '--url', 'http://127.0.0.1:1'], 2, 'gave no answer'],
    ['op-key', ['tokens', '--url', 'http://svc.example'], 2, 'in the clear'],
  ])('as %s refuses %j with code %i and what to do', async (key, args, code, message) => {
    const { svc } = await start()
    expect(await svc(key, 'operate', ...args)).toMatchObject({ code, stderr: expect.stringContaining(message) as string })
  })
}) // prettier-ignore

describe('svc invocations resolve', () => {
  it('says what happened where the outcome is unknown, once, and what budgets have back', async () => {
    const { svc, fixture } = await start()
    const { token } = await fixture.root({ budget: { currency: 'EUR', max_amount: 500, mode: 'cumulative' } })
    const [one, two] = [
      (await fixture.invoke('pay', token)).body['invocation_id'] as string,
      (await fixture.invoke('pay', token)).body['invocation_id'] as string,
    ]
    const resolve = (credential: string, id: string, ...rest: readonly string[]) =>
      svc(credential, 'invocations', 'resolve', id, '--reason', 'The supplier said so', ...rest)
    expect(await resolve('op-key', one, '--happened', '60.5')).toEqual({ code: 0, stderr: '', stdout: `Resolved ${one}: it happened. It cost 60.5 EUR. Back in its budgets: 39.5 EUR.\n` }) // prettier-ignore
    expect(await resolve('op-key', one, '--did-not')).toMatchObject({ code: 1, stderr: expect.stringContaining('was resolved already') as string }) // prettier-ignore
    expect(await resolve('ana-key', two, '--did-not')).toMatchObject({ code: 1, stderr: expect.stringContaining('insufficient_authority') as string }) // prettier-ignore
    const data = JSON.parse((await resolve('op-key', two, '--did-not', '--json')).stdout) as object
    expect(data).toEqual({ resolved: true, invocation_id: two, happened: false, cost: { currency: 'EUR', amount: 0 }, released: { currency: 'EUR', amount: 100 } }) // prettier-ignore
    for (const [options, trouble] of [
      [[], 'Pass either'], [['--happened', '--did-not'], 'Pass either'], [['--happened', '1e3'], 'an amount such as 240.50'],
    ] as const) // prettier-ignore
      expect(await resolve('op-key', two, ...options)).toMatchObject({ code: 2, stderr: expect.stringContaining(trouble) as string }) // prettier-ignore
  })
})

describe('svc permissions and svc why', () => {
  it('say what a token may do, and which check would refuse a call', async () => {
    const { svc, fixture } = await start()
    const { token } = await fixture.root({ subject: 'agent:planner' })
    expect(await svc(token, 'permissions')).toEqual({ code: 0, stdout: 'may  search  travel.search\nmay  plan  travel.search\nmay  trip  travel.search\nmay  move  travel.search\nmay  pay  travel.search\nmay  book  travel.search\n', stderr: '' })
    const book = await svc(token, 'why', 'book')
    expect(book.code).toBe(4)
    expect(book.stdout.split('\n')).toEqual([
      'holds      token is valid', 'holds      principal may call', 'holds      token has the scopes', 'holds      token is not bound to another capability', 'holds      token is not bound to another task',
      'holds      chain is short enough', 'holds      control requirements are met', 'unknown    capability is not paused                  An operator may have paused it.',
      'unknown    inputs are valid                          Depends on the inputs of the call.', 'holds      bindings are fresh', 'holds      budget covers the cost',
      'asks       approval is given                         A person decides about each call.', 'unknown    rates and concurrency allow it            Depends on other calls at the same time.', '',
    ])
    const bound = await fixture.root({ subject: 'agent:planner', capability: 'book' })
    const search = await svc(bound.token, 'why', 'search')
    expect([search.code, search.stdout]).toEqual([1, expect.stringContaining('refuses    token is not bound to another capability  The token is bound to the capability book. Next: request_new_delegation.\nnot reached')])
    const data = JSON.parse((await svc(token, 'why', 'search', '--json')).stdout) as { readonly checks: readonly object[] }
    expect([(await svc(token, 'why', 'search')).code, data.checks[0]]).toEqual([0, { check: 'token is valid', result: 'holds' }])
  })

  it('say so where the token has ended, or the service has no such capability', async () => {
    const { svc, fixture } = await start()
    const { token, token_id } = await fixture.root()
    expect(await svc(token, 'why', 'fly')).toMatchObject({ code: 2, stderr: expect.stringContaining('has no capability fly') as string })
    await svc('ana-key', 'token', 'revoke', token_id)
    for (const args of [['permissions'], ['why', 'search']])
      expect(await svc(token, ...args)).toMatchObject({ code: 1, stderr: expect.stringContaining('token_revoked') as string })
  })
}) // prettier-ignore

describe('svc audit of a running service', () => {
  it('lists, filters and shows entries with their lineage', async () => {
    const { svc, fixture } = await start()
    const { token } = await fixture.root({ subject: 'agent:planner' })
    const first = String((await fixture.invoke('search', token, { parameters: { city: 'Faro' } })).body['invocation_id'])
    const child = { parameters: { city: 'Rome' }, parent_invocation_id: first }
    const second = String((await fixture.invoke('search', token, child)).body['invocation_id'])
    await fixture.invoke('book', token, { parameters: { hotel: 'Ritz' } })
    const listed = (await svc(token, 'audit', 'list', '--since', '1h', '--capability', 'search')).stdout.split('\n')
    expect(listed).toEqual([
      expect.stringMatching(new RegExp(`Z  \\d+  ok  search  ${second}  agent:planner for human:ana$`, 'u')),
      expect.stringContaining(first),
      '',
    ])
    expect((await svc(token, 'audit', 'list', '--failed')).stdout).toMatch(/^\S+  \d+  approval_required  book  \S+  agent:planner for human:ana\n$/u)
    expect(JSON.parse((await svc(token, 'audit', 'show', second)).stdout)).toMatchObject({ invocation_id: second, parent_invocation_id: first })
    expect((await svc(token, 'audit', 'show', first, '--lineage')).stdout.split('\n').map((line) => /inv-\w+/u.exec(line)?.[0])).toEqual([first, second, undefined])
    expect((await svc(token, 'audit', 'show', second, '--lineage', '--json')).stdout).toContain('"above"')
    expect((await svc('aud-key', 'audit', 'list', '--actor', 'agent:planner', '--json')).stdout).toContain(second)
  })

  it.each([
    ['list', ['--since', 'soon'], 2, '--since takes a time'],
    ['list', ['--actor', 'human:ana'], 2, '--actor is for auditors'],
    ['show', ['inv-000000000000'], 1, 'has no invocation inv-000000000000'],
  ])('audit %s refuses %j with code %i and what to do', async (verb, args, code, message) => {
    const { svc, fixture } = await start()
    const { token } = await fixture.root()
    expect(await svc(token, 'audit', verb, ...args)).toMatchObject({ code, stderr: expect.stringContaining(message) as string })
    expect(await svc('ana-key', 'audit', 'list')).toMatchObject({ code: 1, stderr: expect.stringContaining('insufficient_authority') as string })
  })
}) // prettier-ignore

describe('svc audit tail and svc approvals watch', () => {
  it('print what comes, until they are interrupted', async () => {
    const { fixture, url } = await start()
    const { token } = await fixture.root({ subject: 'agent:planner' })
    const tail = follow(url, token, 'audit', 'tail')
    const watch = follow(url, 'bob-key', 'approvals', 'watch')
    await fixture.invoke('search', token, { parameters: { city: 'Faro' } })
    const { body } = await fixture.invoke('book', token, { parameters: { hotel: 'Ritz' } })
    const id = String(body['failure']!['approval_request_id'])
    await expect.poll(tail.said, { timeout: 60_000 }).toMatch(/ok  search .*\n(?:.*\n)*.*approval_required  book /u)
    await expect.poll(watch.said, { timeout: 60_000 }).toContain(`${id}  pending  book  agent:planner`)
    await fixture.post(`/svc/approval_requests/${id}/deny`, 'bob-key', {})
    await expect.poll(watch.said, { timeout: 60_000 }).toContain(`${id}  denied  book`)
    expect([await tail.end(), await watch.end()]).toEqual(['SIGINT', 'SIGINT'])
  })

  it('go on where a stream of the trail was cut off, each entry once', async () => {
    const { fixture, url } = await start({ streamTimeoutMs: 200 })
    const { token } = await fixture.root()
    const tail = follow(url, token, 'audit', 'tail', '--capability', 'search')
    const ids: unknown[] = []
    for (let n = 0; n < 4; n++) {
      const { invocation_id } = (await fixture.invoke('search', token, { parameters: { city: 'Faro' } })).body
      ids.push(invocation_id)
      await expect.poll(tail.said, { timeout: 60_000 }).toContain(invocation_id)
    }
    expect(await tail.end()).toBe('SIGINT')
    expect([...tail.said().matchAll(/inv-\w+/gu)].map(([id]) => id)).toEqual(ids)
  })

  it('go on when a service that was away is back', async () => {
    const { fixture, url } = await start()
    const { token } = await fixture.root({ subject: 'agent:planner' })
    const line = await lineTo(Number(new URL(url).port))
    const tail = follow(line.url, token, 'audit', 'tail')
    const watch = follow(line.url, 'bob-key', 'approvals', 'watch')
    await fixture.invoke('search', token, { parameters: { city: 'Faro' } })
    const { body } = await fixture.invoke('book', token, { parameters: { hotel: 'Ritz' } })
    const id = String(body['failure']!['approval_request_id'])
    await expect.poll(tail.said, { timeout: 60_000 }).toContain('approval_required  book')
    await expect.poll(watch.said, { timeout: 60_000 }).toContain(`${id}  pending`)
    line.setAway(true)
    await expect.poll(tail.complained, { timeout: 60_000 }).toContain('It is asked again until it is back.')
    await expect.poll(watch.complained, { timeout: 60_000 }).toContain('It is asked again until it is back.')
    await fixture.post(`/svc/approval_requests/${id}/deny`, 'bob-key', {})
    line.setAway(false)
    await expect
      .poll(tail.said, { timeout: 60_000 })
      .toMatch(/Z  5  ok  approval_denied  book  human:bob for human:ana\n/u)
    await expect.poll(watch.said, { timeout: 60_000 }).toContain(`${id}  denied`)
    expect([await tail.end(), await watch.end()]).toEqual(['SIGINT', 'SIGINT'])
  })

  /** A line to a service, which hangs up on everybody while that is away. */
  async function lineTo(port: number) {
    const sockets = new Set<Socket>()
    let isAway = false
    const server = createServer((socket) => {
      sockets.add(socket)
      const service = connect(port, '127.0.0.1')
      for (const [from, to] of [[socket, service], [service, socket]] as const)
        from.on('error', () => to.destroy()).on('close', () => to.destroy()).pipe(to)
      if (isAway) socket.destroy()
    }).listen(0, '127.0.0.1') // prettier-ignore
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const setAway = (away: boolean): void => {
      isAway = away
      if (away) for (const socket of sockets) socket.destroy()
    }
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, setAway }
  }

  function follow(url: string, credential: string, ...args: readonly string[]) {
    const { SVC_TOKEN_FILE: _, ...env } = process.env
    const child = spawn(process.execPath, [resolve('bin/svc.cjs'), ...args], { env: { ...env, SVC_URL: url, SVC_TOKEN: credential }, cwd: folder }) // prettier-ignore
    let [said, complaints] = ['', '']
    child.stdout.on('data', (chunk) => (said += String(chunk)))
    child.stderr.on('data', (chunk) => (complaints += String(chunk)))
    onTestFinished(() => void child.kill('SIGKILL'))
    const ended = new Promise((done) => child.on('exit', (_code, signal) => done(signal)))
    return { said: () => said, complained: () => complaints, end: () => (child.kill('SIGINT'), ended) }
  }
})

describe('svc events', () => {
  it('lists events and what became of them, and sends one again', async () => {
    const { svc, fixture } = await start()
    const { token } = await fixture.root({ subject: 'agent:planner' })
    const { body } = await fixture.invoke('book', token, { parameters: { hotel: 'Ritz' } })
    const id = `approval.requested.${String(body['failure']!['approval_request_id'])}`
    await fixture.storage.outbox.giveUp({ target: 'ops', mostMs: -1, most: 1 })
    const listed = await svc('op-key', 'events', 'list', '--state', 'dead', '--target', 'ops')
    expect([listed.code, listed.stdout]).toEqual([0, expect.stringMatching(new RegExp(`^\\S+Z  dead  ops  ${id}  0 attempts\\n$`, 'u'))])
    const sent = await svc('op-key', 'events', 'resend', id, '--reason', 'It was down.')
    expect([sent.code, sent.stdout]).toEqual([0, `Sent again: ${id} to ops.\n`])
    expect(JSON.parse((await svc('op-key', 'events', 'list', '--json')).stdout)).toMatchObject({ count: 1, events: [{ event_id: id }] })
    expect((await svc('op-key', 'events', 'list', '--state', 'dead')).stdout).toBe('No events.\n')
  })

  it.each([
    ['ana-key', ['list'], 1, 'insufficient_authority'],
    ['op-key', ['list', '--state', 'gone'], 2, "argument 'gone' is invalid"],
    ['op-key', ['resend', 'approval.requested.x'], 2, "required option '--reason"],
    ['op-key', ['resend', 'approval.requested.x', '--reason', 'r'], 1, 'not_found'],
  ])('as %s refuses %j with code %i and what to do', async (key, args, code, message) => {
    const { svc } = await start()
    expect(await svc(key, 'events', ...args)).toMatchObject({ code, stderr: expect.stringContaining(message) as string })
  })
}) // prettier-ignore

describe('svc call', () => {
  it('prints the result', async () => {
    const { svc, fixture } = await start()
    const { token } = await fixture.root()
    expect(await svc(token, 'call', 'search', 'city=Faro', 'nights:=3')).toEqual({
      code: 0,
      stdout: '{}\n',
      stderr: '',
    })
  })

  it('takes inputs of a file, of which those named beside it are left out', async () => {
    const { svc, fixture, effects } = await start()
    const { token } = await fixture.root()
    writeFileSync(join(folder, 'inputs.json'), '{"city": "Faro", "nights": "x"}')
    expect(await svc(token, 'call', 'search', '@inputs.json', 'nights:=3')).toMatchObject({ code: 0, stdout: '{}\n' })
    expect(await svc(token, 'call', 'search', '@inputs.json')).toMatchObject({ code: 1, stderr: expect.stringContaining('nights') as string }) // prettier-ignore
    writeFileSync(join(folder, 'list.json'), '[]')
    expect(await svc(token, 'call', 'search', '@list.json')).toMatchObject({ code: 2, stderr: expect.stringContaining('must be one JSON object') as string }) // prettier-ignore
    expect(await svc(token, 'call', 'search', '@none.json')).toMatchObject({ code: 2, stderr: expect.stringContaining('none.json') as string }) // prettier-ignore
    expect(effects).toEqual([])
  })

  it('follows a stream: steps on standard error, the result on standard output, all of it as lines of data', async () => {
    const { svc, fixture } = await start()
    const { token } = await fixture.root()
    const followed = await svc(token, 'call', 'plan', 'city=Faro', '--stream')
    expect(followed).toEqual({ code: 0, stdout: '{\n  "n": 7\n}\n', stderr: '{"done":1}\nhalf\\u001b\n' })
    const data = (await svc(token, 'call', 'plan', 'city=Faro', '--stream', '--json')).stdout.split('\n')
    expect(data.slice(0, -1).map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { progress: { done: 1 } },
      { progress: 'half\u001b' },
      { success: true, result: { n: 7 } },
    ])
    expect(await svc(token, 'call', 'plan', '--stream')).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('invalid_parameters') as string }) // prettier-ignore
    expect(await svc(token, 'call', 'search', 'city=Faro', '--stream')).toMatchObject({ code: 1, stderr: expect.stringContaining('streaming_not_supported') as string }) // prettier-ignore
  })

  it('follows a stream that a person decides about first', async () => {
    const { svc, fixture } = await start()
    const { token } = await fixture.root()
    const plain = await svc(token, 'call', 'trip', 'city=Faro', '--stream', '--json')
    expect([plain.code, plain.stdout]).toEqual([4, expect.stringContaining('"approval_required"')])
    const [, id = ''] = /"approval_request_id":"(apr_[\w-]+)"/u.exec(plain.stdout) ?? []
    const waiting = svc(token, 'call', 'trip', 'city=Faro', '--stream', '--wait-approval')
    expect((await svc('bob-key', 'approvals', 'approve', id)).code).toBe(0)
    expect(await waiting).toMatchObject({ code: 0, stderr: expect.stringContaining('moving') as string })
  })

  it.each([
    ['cheap=true', 'nights=2', 'stars=[4,5]'],
    ['cheap:=true', 'nights:=2', 'stars:=[4,5]'],
  ])('reads %s, %s and %s by the types of the inputs', async (...inputs) => {
    const { svc, fixture } = await start()
    const { token } = await fixture.root()
    expect(await svc(token, 'call', 'search', 'city=2', ...inputs)).toMatchObject({ code: 0, stderr: '' })
  })

  it.each([
    ['cheap=yes', 'cheap is true or false, found "yes". Write cheap:=true or cheap:=false.'],
    ['nights=two', 'nights is a whole number, found "two". Write nights:=2.'],
    ['nights=2.5', 'nights is a whole number, found "2.5". Write nights:=2.'],
    ['stars=four', `stars is a list, found "four". Write stars:='["a"]'.`],
  ])('refuses %s, and says what to write', async (given, message) => {
    const { svc, fixture } = await start()
    const { token } = await fixture.root()
    const ran = await svc(token, 'call', 'search', 'city=Faro', given)
    expect([ran.code, ran.stderr]).toEqual([2, `svc: ${message}\n`])
  })

  it('names the capability that was meant, and the command for the token that is due', async () => {
    const { svc, fixture } = await start()
    const { token } = await fixture.root()
    expect((await svc(token, 'call', 'serch', 'city=Faro')).stderr).toContain('\nNext: Did you mean `search`? svc permissions lists the capabilities.\n')
    expect((await svc(token, 'why', 'serch')).stderr).toContain('has no capability serch. Did you mean `search`?')
    expect((await svc('ana-key', 'call', 'search', 'city=Faro')).stderr).toBe('invalid_token: A delegation token is required. Exchange your credential for one at POST /svc/tokens.\nNext: svc token issue --scope travel.search --out my.token, then SVC_TOKEN_FILE=my.token\n')
  }) // prettier-ignore

  it('gives a call that waits the side effect of its capability', async () => {
    const { svc, fixture } = await start()
    const { token } = await fixture.root()
    const { failure } = JSON.parse((await svc(token, 'call', 'move', '--json')).stdout) as { readonly failure: { readonly pending: object } }
    expect(failure.pending).toMatchObject({ capability: 'move', effect: 'transactional' })
  }) // prettier-ignore

  it('says why it was refused, and what to do next', async () => {
    const { svc, fixture } = await start()
    const { token } = await fixture.root()
    const { code, stderr } = await svc(token, 'call', 'search', 'nights:="x"', 'city=Faro')
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^invalid_parameters: .*\nNext: .*\n$/u)])
    expect((await svc(token, 'call', 'search', 'city')).stderr).toContain(
      'An input is name=text or name:=JSON, or all are in @file',
    )
    expect((await svc(token, 'call', 'search', 'city:=x')).stderr).toContain('is not JSON')
  })

  it('asks for an approval, and goes on by the same call', async () => {
    const { svc, fixture, effects } = await start()
    const { token } = await fixture.root({ subject: 'agent:planner' })
    const asked = await svc(token, 'call', 'book', 'hotel=Ritz')
    expect(asked.code).toBe(4)
    const [, id] = /svc approvals show (apr_[\w-]+)/u.exec(asked.stderr)!
    expect((await svc('bob-key', 'approvals', 'approve', id!, '--reason', 'Fine')).code).toBe(0)
    expect((await svc(token, 'call', 'book', 'hotel=Ritz')).code).toBe(0)
    expect(effects).toHaveLength(1)
  })
})

describe('svc call, by what became of its request', () => {
  const asked = async () => {
    const started = await start()
    const { token } = await started.fixture.root()
    const call = (...options: readonly string[]) => started.svc(token, 'call', 'book', 'hotel=Ritz', ...options)
    const [, id = ''] = /\b(apr_[\w-]+)/u.exec((await call()).stderr) ?? []
    return { ...started, token, call, id }
  }
  type World = Awaited<ReturnType<typeof asked>>

  it.each([
    ['open', () => undefined, 4, /^approval_required: Wait, then make the same call again: a person decides approval request apr_\S+, until \S+ \S+ UTC\.\nNext: ask an approver to run svc approvals show apr_\S+, then make the same call again\.\n$/u],
    ['approved', ({ svc, id }) => svc('bob-key', 'approvals', 'approve', id), 0, /^$/u],
    ['denied', ({ svc, id }) => svc('bob-key', 'approvals', 'deny', id, '--reason', 'Ask first'), 1, /^approval_denied: Denied by a person: Ask first\.\nNext: report/u],
    ['sent back', ({ svc, id }) => svc('bob-key', 'approvals', 'send-back', id, '--reason', 'Which room?'), 1, /^approval_returned: Sent back by a person with a question: Which room\?\nNext: answer the question/u],
    ['withdrawn', ({ svc, token, id }) => svc(token, 'approvals', 'withdraw', id), 4, /^approval_required: Wait, then/u],
  ] as readonly (readonly [string, (world: World) => unknown, number, RegExp])[])('%s', async (_, happens, code, says) => {
    const world = await asked()
    await happens(world)
    const ran = await world.call()
    expect([ran.code, ran.stderr]).toEqual([code, expect.stringMatching(says)])
    expect(world.effects).toHaveLength(code === 0 ? 1 : 0)
  }) // prettier-ignore

  it('says what it waits for, where, and how long, while it waits', async () => {
    const { svc, call, id } = await asked()
    const waiting = call('--wait-approval')
    await new Promise((resolve) => setTimeout(resolve, 500))
    await svc('bob-key', 'approvals', 'deny', id, '--reason', 'Ask first')
    const { code, stdout, stderr } = await waiting
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(
      new RegExp(
        `^Waiting for a person to decide approval request ${id}\\.\nDecide: svc approvals show ${id}\n` +
          '(?:23|24) h \\d+ min left, until \\S+Z\\.\napproval_denied: Denied by a person: Ask first\\.\n',
        'u',
      ),
    )
  })
})

describe('svc approvals', () => {
  async function asked() {
    const started = await start()
    const { token } = await started.fixture.root({ subject: 'agent:planner' })
    const { body } = await started.fixture.invoke('book', token, { parameters: { hotel: 'Ritz' } })
    return { ...started, token, id: body['failure']!['approval_request_id'] as unknown as string }
  }

  it('lists what waits, and shows what would happen', async () => {
    const { svc, id } = await asked()
    const listed = await svc('bob-key', 'approvals', 'list')
    expect(listed.stdout).toMatch(new RegExp(`^${id}  pending  book  agent:planner  99\\.5 EUR  until `, 'u'))
    const shown = await svc('bob-key', 'approvals', 'show', id)
    expect(shown.stdout).toContain(
      'capability    book\ncosts         99.5 EUR\neffect        cannot be undone\nparameters    Hotel: "Ritz"\nrequested by  agent:planner\non behalf of  human:ana\n',
    )
    expect((await svc('bob-key', 'approvals', 'list', '--status', 'denied')).stdout).toBe('No requests.\n')
    expect(JSON.parse((await svc('bob-key', 'approvals', 'list', '--json')).stdout)).toMatchObject({ count: 1 })
  })

  it('approves for a session, for so many uses and so long', async () => {
    const { svc, id } = await asked()
    const options = ['--session', 'desk', '--uses', '2', '--expires-in', '60', '--reason', 'Fine', '--json']
    expect(JSON.parse((await svc('bob-key', 'approvals', 'approve', id, ...options)).stdout)).toMatchObject({
      grant_type: 'session_bound',
      session_id: 'desk',
      max_uses: 2,
    })
    const shown = JSON.parse((await svc('bob-key', 'approvals', 'show', id, '--json')).stdout) as object
    expect(shown).toMatchObject({ status: 'approved', reason: 'Fine' })
  })

  it('denies with a reason, once', async () => {
    const { svc, id } = await asked()
    expect(await svc('bob-key', 'approvals', 'deny', id, '--reason', 'Too dear')).toEqual({ code: 0, stdout: 'Denied: agent:planner may not call book.\n', stderr: '' }) // prettier-ignore
    const again = await svc('bob-key', 'approvals', 'approve', id)
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('approval_request_closed')])
  })

  it('withdraws a request of the requester', async () => {
    const { svc, id, token } = await asked()
    expect((await svc(token, 'approvals', 'withdraw', id)).stdout).toBe('Withdrawn.\n')
  })

  it('shows nothing that would steer the terminal', async () => {
    const { svc, fixture } = await start()
    const { token } = await fixture.root({ subject: 'agent:planner' })
    const forged = 'x\ndone before   never\nstatus        approved'
    const { body } = await fixture.invoke('book', token, {
      parameters: { hotel: '\u001b[2JRitz\u202e' },
      task_id: forged,
    })
    const id = body['failure']!['approval_request_id'] as unknown as string
    const { stdout } = await svc('bob-key', 'approvals', 'show', id)
    // oxlint-disable-next-line no-control-regex
    expect(stdout).not.toMatch(/\u001b|\u202e|^done before|^status +approved/mu)
    expect((await svc('bob-key', 'approvals', 'show', id, '--json')).stdout).not.toMatch(/\u001b|\u202e/u) // oxlint-disable-line no-control-regex
  })
})

it('says what to do without a credential, with a wrong address, and without a service', async () => {
  const { svc } = await start()
  const at = (url: string) => svc('ana-key', 'approvals', 'list', '--url', url)
  expect(await at('travel')).toMatchObject({ code: 2, stderr: expect.stringContaining('is not an address') as string })
  expect(await at('http://127.0.0.1:1')).toMatchObject({ code: 2, stderr: expect.stringContaining('--url or SVC_URL names the service.') as string }) // prettier-ignore
})
