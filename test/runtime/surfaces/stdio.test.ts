import { PassThrough, Writable } from 'node:stream'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import { verifyDetached } from '../../../src/crypto/jws/jws.js'
import { canonicalBytes } from '../../../src/crypto/json/canonical.js'
import { answerLines } from '../../../src/runtime/surfaces/stdio.js'
import { serveStdio } from '../../../src/runtime/node.js'
import { maintain, type HandlerContext } from '../../../src/runtime/index.js'
import { capability, declares, input } from '../fixture/manifest.js'
import { KEYS, startFixture, type Given, type Reading } from '../fixture/service.js'

const search = capability({
  inputs: [input('city')],
  output: { type: 'object', fields: [{ name: 'hotels', type: 'array' }] },
})
const capabilities = { search, watch: capability({ response_modes: ['streaming', 'unary'], ...declares('sold_out') }) }
const handlers = {
  search: ({ city }: { city: string }) => ({ hotels: [`${city} Inn`] }),
  watch: async (_: object, { progress }: HandlerContext) => (await progress({ at: 1 }), await progress({ at: 2 }), {}),
} // prettier-ignore

/** A session whose answers come as they are written; the n-th line may be awaited. */
async function session(given: Given = {}) {
  const fixture = await startFixture({ capabilities, handlers, ...given })
  const [input, output] = [new PassThrough(), new PassThrough()]
  const lines = createInterface({ input: output })[Symbol.asyncIterator]()
  const ended = answerLines(fixture.service, input, output)
  const next = async (): Promise<Reading> => JSON.parse((await lines.next()).value as string) as Reading
  let ids = 0
  const send = (message: object | string) => void input.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`)
  const ask = async (method: string, params: object = {}): Promise<Reading> => {
    send({ jsonrpc: '2.0', id: ++ids, method, params })
    return next()
  }
  return { ...fixture, input, output, ended, next, send, ask }
} // prettier-ignore

const withoutEndpoints = (document: object) => ({ ...document, endpoints: undefined })

const asAna = { auth: { bearer: 'ana-key' } }
const rootToken = async ({ ask }: { ask(method: string, params: object): Promise<Reading> }, body: object = {}) =>
  (await ask('svc.tokens.issue', { ...asAna, scope: ['travel.search'], ...body }))['result']![
    'token'
  ] as unknown as string

describe('stdio', () => {
  it('answers documents as HTTP does, and lists its own methods', async () => {
    const { ask, call } = await session()
    const discovery = (await ask('svc.discovery'))['result']!['svc_discovery']!
    expect(discovery['endpoints']).toEqual({
      manifest: 'svc.manifest', tokens: 'svc.tokens.issue', revocations: 'svc.tokens.revoke', graph: 'svc.graph', permissions: 'svc.permissions', invoke: 'svc.invoke',
      audit: 'svc.audit.query', checkpoints: 'svc.checkpoints.list',
    }) // prettier-ignore
    const overHttp = (await call('GET', '/.well-known/svc')).body['svc_discovery']!
    expect(withoutEndpoints(discovery)).toEqual(withoutEndpoints(overHttp))
    expect((await ask('svc.jwks'))['result']).toEqual((await call('GET', '/.well-known/jwks.json')).body)
    const { manifest, signature } = (await ask('svc.manifest'))['result'] as unknown as { manifest: object; signature: string }
    const keys = KEYS.keys.filter(({ role }) => role === 'manifest')
    expect(verifyDetached(signature, canonicalBytes(manifest), keys)).toBeDefined()
    expect((await ask('svc.tools'))['result']).toEqual((await call('GET', '/tools.json')).body)
  }) // prettier-ignore

  it('shows a checkpoint with its proof, as HTTP does', async () => {
    const opened = await session()
    const { ask, call, service } = opened
    const rest = maintain(service)
    await opened.invoke('search', await rootToken(opened), { parameters: { city: 'Oslo' } })
    await rest()
    const { checkpoints } = (await ask('svc.checkpoints.list'))['result'] as unknown as { checkpoints: readonly { checkpoint_id: string }[] }
    const [{ checkpoint_id: id } = { checkpoint_id: '' }] = checkpoints
    const shown = (await ask('svc.checkpoints.get', { id, leaf_index: 0 }))['result']
    expect(shown).toEqual((await call('GET', `/svc/checkpoints/${id}?leaf_index=0`)).body)
    expect(shown).toMatchObject({ inclusion_proof: { leaf_index: 0 } })
    expect((await ask('svc.checkpoints.get', { id: 'ckp_none' }))['error']).toMatchObject({ data: { type: 'not_found' } })
  }) // prettier-ignore

  it('lists, reads, grants, denies and withdraws approval requests', async () => {
    const required = { required: 'always', grant_policy: { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 900, max_uses: 1 } } as const
    const opened = await session({ capabilities: { book: capability({ inputs: [input('hotel')], approval: required }) }, handlers: { book: () => ({}) } })
    const { ask } = opened
    const auth = { bearer: await rootToken(opened) }
    const asked = async (hotel: string): Promise<string> => {
      const { error } = await ask('svc.invoke', { auth, capability: 'book', parameters: { hotel } })
      return error!['data']!['approval_request_id'] as unknown as string
    }
    const approver = { auth: { bearer: 'bob-key' } }
    const [granted, denied, withdrawn] = [await asked('a'), await asked('b'), await asked('c')]
    const listed = (await ask('svc.approval_requests.list', approver))['result']!['approval_requests'] as unknown as readonly { approval_request_id: string }[]
    expect(listed.map((each) => each.approval_request_id).sort()).toEqual([granted, denied, withdrawn].sort())
    const grant = (await ask('svc.approval_grants.issue', { ...approver, approval_request_id: granted, grant_type: 'one_time' }))['result']!
    expect(grant).toMatchObject({ capability: 'book' })
    expect((await ask('svc.approval_requests.deny', { ...approver, id: denied, reason: 'no' }))['result']).toMatchObject({ status: 'denied' })
    expect((await ask('svc.approval_requests.withdraw', { auth, id: withdrawn }))['result']).toMatchObject({ status: 'withdrawn' })
    expect((await ask('svc.approval_requests.get', { ...approver, id: granted }))['result']).toMatchObject({ status: 'approved' })
    expect((await ask('svc.approval_grants.revoke', { ...approver, id: grant['grant_id'], reason: 'no' }))['result']).toMatchObject({ revoked: true })
  }) // prettier-ignore

  it('has no methods for what the manifest leaves out', async () => {
    const { ask } = await session({ manifest: { trust: { level: 'signed' } } })
    const endpoints = (await ask('svc.discovery'))['result']!['svc_discovery']!['endpoints']
    expect(Object.keys(endpoints as object)).not.toContain('checkpoints')
    expect((await ask('svc.checkpoints.list'))['error']).toMatchObject({ code: -32601, data: { type: 'not_found' } })
  })

  it('issues, permits, invokes and shows the trail, equal in substance to HTTP', async () => {
    const opened = await session()
    const { ask, post, trail } = opened
    const bearer = await rootToken(opened, { purpose_parameters: { task_id: 'trip-7' } })
    const auth = { bearer }
    expect((await ask('svc.permissions', { auth }))['result']).toEqual((await post('/svc/permissions', bearer, {})).body)
    const call = { parameters: { city: 'Oslo' }, client_reference_id: 'ref-1' }
    const { invocation_id, ...told } = (await ask('svc.invoke', { auth, capability: 'search', ...call }))['result'] as unknown as Record<string, unknown>
    const { invocation_id: other, ...overHttp } = (await opened.invoke('search', bearer, call)).body as unknown as Record<string, unknown>
    expect([told, typeof invocation_id, typeof other]).toEqual([overHttp, 'string', 'string'])
    expect(told).toEqual({ success: true, client_reference_id: 'ref-1', task_id: 'trip-7', result: { hotels: ['Oslo Inn'] } })
    const { entries } = (await ask('svc.audit.query', { auth, capability: 'search', limit: 10, success: true }))['result'] as unknown as { entries: unknown }
    expect(entries).toEqual(await trail(bearer, '?capability=search'))
  }) // prettier-ignore

  it('carries the whole failure in error.data, with what the envelope says beside it', async () => {
    const opened = await session()
    const auth = { bearer: await rootToken(opened) }
    const { error } = await opened.ask('svc.invoke', { auth, capability: 'nowhere', parameters: {}, client_reference_id: 'r' }) // prettier-ignore
    expect(error).toEqual({
      code: -32000,
      message: 'Unknown capability.',
      data: {
        type: 'unknown_capability',
        detail: 'Unknown capability.',
        retry: false,
        resolution: { action: 'check_manifest', recovery_class: 'revalidate_then_retry' },
        invocation_id: expect.stringMatching(/^inv-/u) as string,
        client_reference_id: 'r',
      },
    })
    expect((await opened.ask('svc.invoke', { capability: 'search', parameters: {} }))['error']).toMatchObject({
      code: -32000,
      data: { type: 'authentication_required', retry: false },
    })
    expect((await opened.ask('svc.invoke', { auth, capability: 'search', parameters: {} }))['error']).toMatchObject({
      code: -32602,
      data: { type: 'invalid_parameters' },
    })
  })

  it('tells of progress while the handler runs, and answers with the whole envelope', async () => {
    const opened = await session()
    const auth = { bearer: await rootToken(opened) }
    const first = await opened.ask('svc.invoke', { auth, capability: 'watch', parameters: {}, stream: true })
    expect(first).toMatchObject({ jsonrpc: '2.0', method: 'svc.progress', params: { id: 2, payload: { at: 1 } } })
    expect((await opened.next())['params']).toMatchObject({ payload: { at: 2 } })
    const done = await opened.next()
    expect(done).toMatchObject({
      id: 2,
      result: { success: true, result: {}, stream_summary: { events_emitted: 2, client_disconnected: false } },
    })
    expect(done['result']!['invocation_id']).toBe(first['params']!['invocation_id'])
  })

  it('fails a stream with the failure in error.data', async () => {
    const watch = (_: object, { fail }: HandlerContext) => fail('sold_out', 'No.')
    const opened = await session({ handlers: { ...handlers, watch } })
    const auth = { bearer: await rootToken(opened) }
    const { error } = await opened.ask('svc.invoke', { auth, capability: 'watch', parameters: {}, stream: true })
    expect(error).toMatchObject({ code: -32000, data: { type: 'sold_out', stream_summary: { events_emitted: 0 } } })
  })

  it.each([[{ bearer: 'ana-key', user: 'ana' }], [{ bearer: 'ana-key', scheme: 'Bearer' }], [['ana-key']]])(
    'refuses the credential %j: nothing in auth is passed over',
    async (auth) => {
      const { error } = await (await session()).ask('svc.tokens.issue', { auth, scope: ['travel.search'] })
      expect(error).toMatchObject({ code: -32602, data: { type: 'invalid_parameters' } })
      expect(JSON.stringify(error)).not.toContain('ana-key')
    },
  )

  it.each(['svc.discovery', 'svc.jwks', 'svc.checkpoints.list'])(
    'refuses it for %s too, which needs none',
    async (method) => {
      const { error } = await (await session()).ask(method, { auth: { user: 'ana' } })
      expect(error).toMatchObject({ code: -32602, data: { type: 'invalid_parameters' } })
    },
  )

  it('remembers answers under an idempotency key', async () => {
    const opened = await session()
    const params = { auth: { bearer: await rootToken(opened) }, capability: 'search', parameters: { city: 'Oslo' }, idempotency_key: 'k' } // prettier-ignore
    const first = await opened.ask('svc.invoke', params)
    expect((await opened.ask('svc.invoke', params))['result']).toEqual(first['result'])
  })

  it.each<[string, number, string]>([
    ['{', -32700, 'invalid_parameters'],
    ['{"jsonrpc":"2.0","id":1,"id":2,"method":"svc.jwks"}', -32700, 'invalid_parameters'],
    ['"\\ud800"', -32700, 'invalid_parameters'],
    ['{"jsonrpc":"2.0","id":1,"method":"svc.permissions","params":{"a":"b\\u0000"}}', -32700, 'invalid_parameters'],
    ['{"jsonrpc":"2.0","id":1,"method":"svc.permissions","params":{"a\\u0000":1}}', -32700, 'invalid_parameters'],
    ['[]', -32600, 'invalid_parameters'],
    ['null', -32600, 'invalid_parameters'],
    ['{"id":1,"method":"svc.jwks"}', -32600, 'invalid_parameters'],
    ['{"jsonrpc":"2.0","id":{},"method":"svc.jwks"}', -32600, 'invalid_parameters'],
    ['{"jsonrpc":"2.0","id":1,"method":1}', -32600, 'invalid_parameters'],
    ['{"jsonrpc":"2.0","id":1,"method":"svc.jwks","params":[]}', -32602, 'invalid_parameters'],
    ['{"jsonrpc":"2.0","id":1,"method":"toString"}', -32601, 'not_found'],
    ['{"jsonrpc":"2.0","id":1,"method":"svc.tokens.issue","params":{"auth":"x"}}', -32602, 'invalid_parameters'],
    ['{"jsonrpc":"2.0","id":1,"method":"svc.audit.query","params":{"limit":{}}}', -32602, 'invalid_parameters'],
    ['{"jsonrpc":"2.0","id":1,"method":"svc.tokens.issue","params":{"auth":{"bearer":"a b"}}}', -32000, 'authentication_required'],
    [`{"jsonrpc":"2.0","id":1,"method":"svc.jwks","params":{"a":${'['.repeat(99)}${']'.repeat(99)}}}`, -32700, 'invalid_parameters'],
  ])('refuses the line %.90s with %i', async (line, code, type) => {
    const { send, next } = await session()
    send(line)
    expect((await next())['error']).toMatchObject({ code, data: { type } })
    send('{"jsonrpc":"2.0","id":"x","method":"svc.jwks"}\r')
    expect((await next())['id']).toBe('x')
  }) // prettier-ignore

  it('takes a line as deep as a body, and as many members, and not one more', async () => {
    const { ask } = await session({ limits: { jsonDepth: 5, jsonMembers: 20 } })
    const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown
    const codeOf = async (params: object) => (await ask('svc.jwks', params))['error']?.['code']
    // The message is one more than a body has; what is no filter is refused after it was read.
    expect([await codeOf({ a: nested(4) }), await codeOf({ a: nested(5) })]).toEqual([-32602, -32700])
    const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`m${n}`, 1]))
    expect([await codeOf(members(16)), await codeOf(members(17))]).toEqual([-32602, -32700])
  })

  it('does not answer notifications', async () => {
    const { send, next } = await session()
    send('{"jsonrpc":"2.0","method":"svc.jwks"}')
    send('{"jsonrpc":"2.0","method":"no.such"}')
    send('{"jsonrpc":"2.0","id":7,"method":"svc.jwks"}')
    expect((await next())['id']).toBe(7)
  })

  it('holds no line that is too long, and reads on behind it', async () => {
    const { input, next, send } = await session({ limits: { bodyBytes: 1000, headerBytes: 1000 } })
    for (let part = 0; part < 50; part++) input.write('x'.repeat(10_000))
    expect((await next())['error']).toMatchObject({ code: -32600, data: { type: 'payload_too_large' } })
    send('')
    send('{"jsonrpc":"2.0","id":1,"method":"svc.jwks"}')
    expect((await next())['id']).toBe(1)
  })

  it('limits guessing, as HTTP does', async () => {
    const { ask } = await session({ limits: { badCredentialsPerMinute: 2 } })
    const guess = async () => (await ask('svc.tokens.issue', { auth: { bearer: 'guess' }, scope: ['a'] }))['error']!
    expect([(await guess())['data']!['type'], (await guess())['data']!['type']]).toEqual(['authentication_required', 'authentication_required']) // prettier-ignore
    expect((await guess())['data']).toMatchObject({ type: 'rate_limited', retry_after: 30 })
  })

  it('runs so many requests at a time and reads no more meanwhile', async () => {
    const finish: (() => void)[] = []
    let most = 0
    const wait = () => new Promise((resolve) => {
      finish.push(() => resolve({ hotels: [] }))
      most = Math.max(most, finish.length)
    }) // prettier-ignore
    const opened = await session({ handlers: { ...handlers, search: wait }, limits: { stdioConcurrency: 3 } })
    const auth = { bearer: await rootToken(opened) }
    for (let id = 0; id < 10; id++)
      opened.send({ jsonrpc: '2.0', id, method: 'svc.invoke', params: { auth, capability: 'search', parameters: { city: 'Oslo' } } }) // prettier-ignore
    const answered = new Set<unknown>()
    while (answered.size < 10) {
      while (finish.length < Math.min(3, 10 - answered.size)) await new Promise((resolve) => setTimeout(resolve, 5))
      finish.shift()!()
      answered.add((await opened.next())['id'])
    }
    expect(most).toBe(3)
  })

  it('ends when the last call has its answer, and not with its input', async () => {
    let finish = (_: object): void => undefined
    const held = () => new Promise<object>((resolve) => (finish = resolve))
    const opened = await session({ handlers: { ...handlers, search: held } })
    const auth = { bearer: await rootToken(opened) }
    let hasEnded = false
    const ended = opened.ended.then(() => (hasEnded = true))
    opened.send({ jsonrpc: '2.0', id: 7, method: 'svc.invoke', params: { auth, capability: 'search', parameters: { city: 'Oslo' } } }) // prettier-ignore
    opened.input.end()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(hasEnded).toBe(false)
    finish({ hotels: [] })
    expect(await opened.next()).toMatchObject({ id: 7, result: { success: true } })
    await ended
  })

  it('writes nothing faster than it is read, and ends when the reader is gone', async () => {
    const fixture = await startFixture({ capabilities, handlers, limits: { stdioConcurrency: 4 } })
    let written = 0
    const slow = new Writable({ highWaterMark: 1, write: (chunk: Buffer) => void (written += chunk.length) })
    const input = new PassThrough()
    const ended = answerLines(fixture.service, input, slow)
    for (let id = 0; id < 100; id++) input.write(`{"jsonrpc":"2.0","id":${id},"method":"svc.manifest"}\n`)
    input.end()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect([slow.writableLength, written]).toEqual([written, written])
    slow.destroy()
    await ended
  })

  it('answers what was read when it is told to end', async () => {
    const fixture = await startFixture({ capabilities, handlers })
    const [input, output] = [new PassThrough(), new PassThrough()]
    const served = serveStdio(fixture.service, { input, output })
    input.write('{"jsonrpc":"2.0","id":1,"method":"svc.jwks"}')
    input.end()
    await served
    expect(JSON.parse((output.read() as Buffer).toString())).toMatchObject({ id: 1, result: { keys: [{}, {}, {}] } })
  })
})

it('a line has as many bytes as a body and headers may have together, and no more', async () => {
  const { send, next, input } = await session({ limits: { bodyBytes: 100, headerBytes: 50 } })
  const message = '{"jsonrpc":"2.0","id":1,"method":"svc.none"}'
  send(message.padEnd(150))
  expect((await next())['error']!['data']!['type']).toBe('not_found')
  send(message.padEnd(151))
  expect((await next())['error']!['data']!['type']).toBe('payload_too_large')
  input.end()
})
