/** N23: what receivers of events, and addresses that mean something else, can do. */
import { createServer } from 'node:https'
import { describe, expect, it, onTestFinished } from 'vitest'
import { inspect } from 'node:util'
import { deliverDue } from '../../src/runtime/events/dispatch.js'
import { addressProblems, postTo } from '../../src/runtime/events/post.js'
import type { Resolve } from '../../src/runtime/net/judged-lookup.js'
import type { NotifyTarget } from '../../src/runtime/events/targets/target.js'
import { isPublicAddress } from '../../src/runtime/net/public-address.js'
import { slack, webhook } from '../../src/runtime/events/notify.js'
import { capability } from '../runtime/fixture/manifest.js'
import { isSigned, SECRET, startReceiver, status } from '../runtime/fixture/receiver.js'
import { startFixture } from '../runtime/fixture/service.js'

const never = new AbortController().signal
const send = (url: string, given: Partial<Parameters<typeof postTo>[0]> = {}) =>
  postTo({ url, allowPrivate: false, ...given })({}, '{}', never)

const ALARM = { specversion: '1.0', id: 'alarm.raised.x.1', source: 's', type: 'alarm.raised', subject: 'x', time: '2026-03-01T12:00:00.000Z', datacontenttype: 'application/json', data: {} } as const // prettier-ignore

const receiverWith = async (...given: Parameters<typeof startReceiver>) => {
  const receiver = await startReceiver(...given)
  onTestFinished(receiver.close)
  return receiver
}

describe('N23: a receiver', () => {
  it('is sent id, time and body under a signature that covers all three, so that a replay is known', async () => {
    const { url, received } = await receiverWith()
    const old = `whsec_${'ABCDEFGH'.repeat(4)}`
    const target = webhook({ name: 'ops', url, secret: [SECRET, old] })
    expect(await target.deliver({ event: ALARM, body: JSON.stringify(ALARM), now: Date.now() }, never)).toEqual({
      ok: true,
    })
    const [{ headers, body }] = received as [(typeof received)[0]]
    expect([isSigned({ headers, body }), isSigned({ headers, body }, old)]).toEqual([true, true])
    expect(Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp']))).toBeLessThan(60)
    for (const changed of ['webhook-id', 'webhook-timestamp'])
      expect(isSigned({ headers: { ...headers, [changed]: '1' }, body })).toBe(false)
    expect(isSigned({ headers, body: `${body} ` })).toBe(false)
  })

  it('that redirects is not followed', async () => {
    const other = await receiverWith()
    const { url } = await receiverWith(status(307, { location: other.url }))
    expect(await send(url)).toMatchObject({ ok: false, error: 'status 307' })
    expect(other.received).toEqual([])
  })

  it('that answers 10 MB, or without an end, is not read, and is hung up on', async () => {
    const closed = new Promise<number>((done) => {
      void receiverWith((response) => {
        let sent = 0
        const more = () => void (response.write(Buffer.alloc(64 * 1024)), (sent += 64 * 1024), setImmediate(more))
        response.on('error', () => undefined).on('close', () => done(sent))
        response.writeHead(200)
        more()
      }).then(async ({ url }) => expect(await send(url)).toEqual({ ok: true }))
    })
    expect(await closed).toBeLessThan(100 * 1024 * 1024)
  })

  it('that does not answer is given up on', async () => {
    const { url } = await receiverWith(() => undefined)
    expect(await send(url, { withinMs: 200 })).toEqual({ ok: false, error: 'no answer within 0.2 s' })
  })

  it.each(['3', '999999'])('is left alone for as long as it asks, within an hour: %s s', async (seconds) => {
    const { url } = await receiverWith(status(429, { 'retry-after': seconds }))
    expect(await send(url)).toEqual({
      ok: false,
      error: 'status 429',
      retryAfterMs: Math.min(Number(seconds), 3600) * 1000,
    })
  })

  it('and its secrets are in no log, no list and no picture of the service', async () => {
    const { url } = await receiverWith(status(400))
    const secretUrl = `${url}/T00/B00/secret-path`
    const targets = [webhook({ name: 'ops', url, secret: SECRET }), slack({ name: 'chat', url: secretUrl, events: ['token.revoked'] })] // prettier-ignore
    const { service, call, root, post, logged } = await startFixture({ notify: targets, clock: Date.now })
    const { token_id } = await root()
    await post('/svc/tokens/revoke', 'ana-key', { token_id })
    for (const target of targets) await deliverDue(service, target)
    const { body } = await call('GET', '/-/events', { bearer: 'op-key' })
    expect(body['events']).toMatchObject([{ last_error: 'status 400' }, { last_error: 'status 400' }])
    const seen = [logged.join(), JSON.stringify(body), inspect(service, { depth: 8 }), JSON.stringify(service.notify)].join() // prettier-ignore
    for (const secret of [SECRET, SECRET.slice(6), 'secret-path', 'hunter2']) expect(seen).not.toContain(secret)
  })
})

describe('N23: an address', () => {
  it.each([
    'http://hooks.example/x', 'http://10.0.0.1/x', 'ftp://hooks.example/x', 'https://user:pass@hooks.example/x', 'https://user@hooks.example/x', 'https://:pass@hooks.example/x', 'hooks.example', 'file:///etc/passwd', '',
  ])('%s is refused at the start', async (url) => {
    expect(addressProblems(url)).toHaveLength(1)
    const notify = [webhook({ name: 'ops', url, secret: SECRET })]
    await expect(startFixture({ capabilities: { search: capability() }, notify })).rejects.toThrow('notify, "ops": Its url must')
  }) // prettier-ignore

  it('and a secret that is none, or a name twice, are refused at the start, and not repeated', async () => {
    const item = (secret: string, name = 'ops') => webhook({ name, url: 'https://hooks.example/x', secret })
    await expect(startFixture({ notify: [item('hunter2')] })).rejects.toThrow(
      /^((?!hunter2).)*Its secret must be whsec_/su,
    )
    await expect(startFixture({ notify: [item(SECRET), item(SECRET)] })).rejects.toThrow('two items of the name "ops"')
    await expect(startFixture({ notify: [item(SECRET, 'No Name')] })).rejects.toThrow('The name "No Name" must be')
  })

  it.each([
    '0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.9.9.9', '168.63.129.16', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.168.1.1', '198.18.0.1',
    '224.0.0.1', '255.255.255.255', '::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe', '64:ff9b::10.0.0.1', '64:ff9b::', '64:ff9b:1::5db8:d822', 'fc00::1', 'fd12::1', 'fe80::1', 'ff02::1', '2001:db8::1',
    '2002:7f00:1::', '2001::1', 'localhost', '', '8.8.8.8.8',
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  }) // prettier-ignore

  it.each([
    '8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450::1',
    '64:ff9b::5db8:d822', '64:FF9B:0::93.184.216.34', '64:ff9b::808:808',
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  }) // prettier-ignore

  it.each([
    'https://127.0.0.1:1/', 'https://localhost:1/', 'http://localhost:1/',
  ])('%s of this machine may be named', async (url) => {
    expect(await send(url)).toEqual({ ok: false, error: 'no answer (ECONNREFUSED)' })
  }) // prettier-ignore

  it.each([
    'https://169.254.169.254/', 'https://10.0.0.1/', 'https://[fd00::1]/', 'https://0x0a000001/', 'https://167772161/', 'https://[::ffff:10.0.0.1]/',
  ])('%s is not connected to', async (url) => {
    expect(await send(url)).toEqual({ ok: false, error: 'the address is private' })
  }) // prettier-ignore

  it('whose name means a private one, or one among others, is not connected to, unless that is configured', async () => {
    let connections = 0
    const server = createServer().on('connection', (socket) => (connections++, socket.destroy()))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    onTestFinished(() => void server.close())
    const url = `https://hooks.example:${(server.address() as { readonly port: number }).port}/`
    const inside = { address: '127.0.0.1', family: 4 }
    const outside = { address: '8.8.8.8', family: 4 }
    for (const addresses of [[inside], [outside, inside], [inside, outside]])
      expect(await send(url, { resolve: (_, done) => done(null, addresses) })).toEqual({
        ok: false,
        error: 'the address is private',
      })
    expect(await send(url, { resolve: (_, done) => done(null, []) })).toMatchObject({ ok: false })
    expect(connections).toBe(0)
    expect(await send(url, { resolve: (_, done) => done(null, [inside]), allowPrivate: true })).toMatchObject({ ok: false, error: expect.stringContaining('no answer') as string }) // prettier-ignore
    expect(connections).toBe(1)
  })

  it('is judged for a target as that was configured', async () => {
    const sent = (target: NotifyTarget) => target.deliver({ event: ALARM, body: '{}', now: 0 }, never)
    const inside: Resolve = (_, done) => done(null, [{ address: '127.0.0.1', family: 4 }])
    const ops = { name: 'ops', url: 'https://hooks.example:1/', secret: SECRET, resolve: inside }
    const refused = { ok: false, error: 'the address is private' }
    expect(await sent(webhook(ops))).toEqual(refused)
    expect(await sent(webhook({ ...ops, allowPrivate: true }))).toEqual({
      ok: false,
      error: 'no answer (ECONNREFUSED)',
    })
    expect(await sent(webhook({ ...ops, url: 'https://10.0.0.1/' }))).toEqual(refused)
    expect(await sent(slack({ name: 'chat', url: 'https://10.0.0.1/' }))).toEqual(refused)
  })

  it('is asked for once, and what it meant then is what is connected to (DNS rebinding)', async () => {
    let asked = 0
    const post = postTo({
      url: 'https://hooks.example:1/',
      allowPrivate: false,
      resolve: (_, done) => done(null, [{ address: asked++ === 0 ? '192.0.0.8' : '127.0.0.1', family: 4 }]),
      withinMs: 300,
    })
    expect(await post({}, '{}', never)).toEqual({ ok: false, error: 'the address is private' })
    expect(await post({}, '{}', never)).toEqual({ ok: false, error: 'the address is private' })
    expect(asked).toBe(2)
  })
})
