/** What proves who this service is to the one behind: which credentials, where, and tokens that it fetches. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clientTokens } from '../../../src/runtime/upstream/client-tokens.js'
import { addCredential, credentialsOf, type HttpCredential } from '../../../src/runtime/upstream/credentials.js'

const header = (name: string, value: string | undefined): HttpCredential => ({ in: 'header', name, value })

describe('of several credentials', () => {
  it.each<[string, Record<string, string | undefined>, readonly (readonly string[])[] | undefined, readonly string[]]>([
    ['the usual ones', { a: '1', b: '2' }, undefined, ['a']],
    ['all of one alternative', { a: '1', b: '2' }, [['a', 'b']], ['a', 'b']],
    ['the first alternative that is there as a whole', { a: '1', b: undefined, c: '3' }, [['a', 'b'], ['c']], ['c']],
    ['what is there of the first one where none is', { a: '1', b: '' }, [['a', 'b'], ['c']], ['a']],
    ['none where an operation demands none', { a: '1' }, [], []],
    ['one that is there, of one or none', { a: '1' }, [[], ['a']], ['a']],
    ['none that is not there, of one or none', { a: undefined }, [[], ['a']], []],
  ])('%s', async (_, values, own, sent) => {
    const credentials = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, header(name, value)]))
    const made = credentialsOf({ credentials, security: [['a']] })
    expect((await made.sentWith(own)).map(({ name }) => name)).toEqual(sent)
  })

  it.each<[unknown, readonly string[]]>([
    [undefined, ['X']],
    [[['of another name']], ['X']],
    [[], []],
  ])('the only one stands for every alternative: %j', async (own, sent) => {
    const made = credentialsOf({ credential: header('X', '1') })
    expect((await made.sentWith(own as never)).map(({ name }) => name)).toEqual(sent)
  })
})

it.each<[HttpCredential['in'], string, string | null]>([
  ['header', 'https://a.example/?key=mine&b=1', 'b=2; key=mine'],
  ['query', 'https://a.example/?b=1&key=own%20one', 'b=2; key=mine'],
  ['cookie', 'https://a.example/?key=mine&b=1', 'b=2; key=own%20one'],
])('no input stays in the place of a key in the %s', (place, href, cookie) => {
  const url = new URL('https://a.example/?key=mine&b=1')
  const headers = new Headers({ Cookie: 'b=2; key=mine', key: 'mine' })
  addCredential(url, headers, { in: place, name: 'key', value: 'own one' })
  expect([url.href, headers.get('Cookie'), headers.get('key')]).toEqual([href, cookie, place === 'header' ? 'own one' : 'mine']) // prettier-ignore
})

describe('tokens of a client', () => {
  let server: Server
  let seen: { readonly url: string; readonly authorization: string | undefined; readonly body: string }[]
  let answer: (count: number) => object
  let origin: string
  beforeEach(async () => {
    seen = []
    answer = (count) => ({ access_token: `t${count}`, token_type: 'bearer', expires_in: 100 })
    server = createServer((request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        const isMetadata = request.url!.includes('.well-known')
        if (!isMetadata) seen.push({ url: request.url!, authorization: request.headers.authorization, body: Buffer.concat(parts).toString() }) // prettier-ignore
        const text = isMetadata ? { issuer: origin, token_endpoint: `${origin}/found` } : answer(seen.length)
        response.writeHead('error' in text ? 401 : 200, { 'Content-Type': 'application/json' })
        response.end(JSON.stringify(text))
      })
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterEach(() => server.close())
  const client = { clientId: 'me', clientSecret: 's3cret' }

  it('are fetched once for all who wait, kept, and renewed before they end', async () => {
    let time = 0
    const tokens = clientTokens({ ...client, tokenUrl: `${origin}/token`, scope: 'read' }, () => time)
    expect(await Promise.all([tokens.token(), tokens.token()])).toEqual(['t1', 't1'])
    time = 69_999
    expect(await tokens.token()).toBe('t1')
    time = 70_000
    expect(await tokens.token()).toBe('t2')
    tokens.forget()
    expect(await tokens.token()).toBe('t3')
    const authorization = `Basic ${Buffer.from('me:s3cret').toString('base64')}`
    expect(seen[0]).toEqual({ url: '/token', authorization, body: 'scope=read&grant_type=client_credentials' })
  })

  it('are fetched where the server says, as it describes itself', async () => {
    const discoveryUrl = `${origin}/.well-known/openid-configuration`
    expect(await clientTokens({ ...client, discoveryUrl }).token()).toBe('t1')
    expect(seen.map(({ url }) => url)).toEqual(['/found'])
  })

  it('are tried again after a refusal', async () => {
    const tokens = clientTokens({ ...client, tokenUrl: `${origin}/token` })
    answer = () => ({ error: 'invalid_client' })
    await expect(tokens.token()).rejects.toThrow()
    answer = () => ({ access_token: 'later', token_type: 'bearer' })
    expect(await tokens.token()).toBe('later')
  })

  it.each(['http://id.example/token', 'ftp://id.example', ''])('never send the secret to %j', async (tokenUrl) => {
    await expect(clientTokens({ ...client, tokenUrl }).token()).rejects.toThrow('must be https, or a loopback address')
  })

  it('stand in the place of a value that is not given, and of no other', async () => {
    const fetched = { in: 'header', name: 'Authorization', scheme: 'Bearer', client: { ...client, tokenUrl: `${origin}/token` } } as const // prettier-ignore
    const sent = async (more: object) => (await credentialsOf({ credential: { ...fetched, value: undefined, ...more } }).sentWith(undefined)).map(({ value }) => value) // prettier-ignore
    expect(await sent({})).toEqual(['t1'])
    expect(await sent({ value: 'given' })).toEqual(['given'])
    expect(await sent({ client: { ...fetched.client, clientId: '' } })).toEqual([])
  })
})
