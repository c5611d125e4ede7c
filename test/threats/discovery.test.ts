/** O08: names of an identity provider that mean something else when they are connected to (DNS rebinding). */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { consoleProvider } from '../../src/console/provider.js'
import { identityProvider } from '../../src/runtime/credentials/oidc/bootstrap.js'
import { providerFetch } from '../../src/runtime/credentials/oidc/provider-fetch.js'
import { providerOf } from '../../src/runtime/credentials/oidc/provider.js'
import type { Network } from '../../src/runtime/credentials/oidc/reach.js'
import type { Service } from '../../src/runtime/service.js'
import { fakeKey } from '../runtime/oidc/fake-provider.js'
import { metAt } from '../runtime/oidc/met.js'
import { startFixture } from '../runtime/fixture/service.js'

/** The provider answers at both: which of them is public is given. */
const [OUTSIDE, INSIDE] = ['127.0.0.1', '127.0.0.3']
const NAMES = ['idp.example', 'keys.example', 'tokens.example']
const MINUTE = 60_000

let folder = ''
let tls = { cert: '', key: '', ca: '' }
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-discovery-'))
  const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=ca', '-days', '2')
  writeFileSync(join(folder, 'ext'), `subjectAltName=${NAMES.map((name) => `DNS:${name}`).join()},IP:${INSIDE}`)
  openssl('req', ...key, '-keyout', 'key.pem', '-out', 'csr.pem', '-subj', '/CN=idp')
  openssl('x509', '-req', '-in', 'csr.pem', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-out', 'cert.pem', '-days', '2', '-extfile', 'ext') // prettier-ignore
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  tls = { cert: read('cert.pem'), key: read('key.pem'), ca: read('ca.pem') }
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A provider over TLS; what its names mean is said one lookup after the other, the last one for ever. */
async function start({ keysAt = 'idp.example', tokensAt = 'tokens.example', more = {} } = {}) {
  const asked: string[] = []
  const connected: (string | undefined)[] = []
  const answer = (request: IncomingMessage, body: string) => {
    asked.push(`${request.headers.host?.split(':')[0]}${request.url} ${body}`.trim())
    const at = (host: string) => `https://${host}:${port}`
    if (request.url === '/jwks') return { keys: [fakeKey('k1').jwk] }
    const endpoints = { authorization_endpoint: at('idp.example/authorize'), token_endpoint: `${at(tokensAt)}/token` }
    return { issuer: at('idp.example'), jwks_uri: `${at(keysAt)}/jwks`, ...endpoints, ...PROVIDER }
  }
  const server = createServer(tls, (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    void text(request).then((body) => response.end(gzipSync(JSON.stringify(answer(request, body)))))
  })
  server.on('connection', (socket: Socket) => connected.push(socket.localAddress))
  await new Promise<void>((done) => server.listen(0, '0.0.0.0', done))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const meanings: { [name: string]: (readonly string[])[] } = {}
  const network: Network = {
    resolve: (name, done) => {
      const [now = [OUTSIDE], ...later] = meanings[name] ?? []
      if (later.length > 0) meanings[name] = later
      done(null, now.map((address) => ({ address, family: 4 }))) // prettier-ignore
    },
    isPublic: (address) => address === OUTSIDE,
    authorities: tls.ca,
  }
  const options = { issuer: `https://idp.example:${port}`, audience: 'svc', jwksOrigins: [`https://keys.example:${port}`], ...more } // prettier-ignore
  const time = { now: Date.parse('2026-03-01T12:00:00.000Z') }
  const fetch = providerFetch(options, network)
  const provider = providerOf(options, { ...metAt(() => time.now), fetch })
  const read = async (minutes = 0) => ((time.now += minutes * MINUTE), (await provider.keys())?.length)
  const send = (url: string) => {
    const signal = AbortSignal.timeout(5000)
    return fetch(url, { method: 'POST', headers: {}, body: 'secret', signal }).then(
      ({ status }) => status,
      (error: NodeJS.ErrnoException) => error.code,
    )
  }
  const inside = () => connected.filter((address) => address !== OUTSIDE).length
  return { options, network, meanings, read, send, asked, inside, port, time }
}

const PROVIDER = { response_types_supported: ['code'], subject_types_supported: ['public'], id_token_signing_alg_values_supported: ['ES256'] } // prettier-ignore

describe('O08: the name of an issuer', () => {
  it('that was public and then means a private address is not connected to: known keys count for their hour', async () => {
    const { meanings, read, inside } = await start()
    expect(await read()).toBe(1)
    meanings['idp.example'] = [[INSIDE]]
    expect([await read(30), await read(31), inside()]).toEqual([1, undefined, 0])
    meanings['idp.example'] = [[OUTSIDE]]
    expect([await read(1), inside()]).toEqual([1, 0])
  })

  it('that means a private address between the document and the keys is not connected to there', async () => {
    const { meanings, read, asked, inside } = await start()
    meanings['idp.example'] = [[OUTSIDE], [INSIDE]]
    expect([await read(), inside()]).toEqual([undefined, 0])
    expect(asked).toEqual(['idp.example/.well-known/openid-configuration'])
  })

  it.each([
    ['first', [INSIDE, OUTSIDE]],
    ['last', [OUTSIDE, INSIDE]],
  ])('that means a private address, too, %s of two, is connected to at the public one', async (_, addresses) => {
    const { meanings, read, inside } = await start()
    expect(await read()).toBe(1)
    meanings['idp.example'] = [addresses]
    expect([await read(61), inside()]).toEqual([1, 0])
  })

  it('may mean a private address from the beginning, and be made public: so it was configured', async () => {
    const { meanings, read, inside } = await start()
    meanings['idp.example'] = [[INSIDE]]
    expect([await read(), inside()]).toEqual([1, 2])
    meanings['idp.example'] = [[OUTSIDE]]
    expect([await read(61), inside()]).toEqual([1, 2])
  })

  it('that means addresses of both kinds from the beginning may mean either later', async () => {
    const { meanings, read, inside } = await start()
    meanings['idp.example'] = [[OUTSIDE, INSIDE]]
    expect(await read()).toBe(1)
    meanings['idp.example'] = [[INSIDE]]
    expect([await read(61), inside()]).toEqual([1, 2])
  })

  it('has not been public before it has answered with its certificate', async () => {
    const { meanings, read, options, network, inside } = await start()
    const stranger = providerFetch(options, { ...network, authorities: '' })
    const signal = AbortSignal.timeout(5000)
    const request = { method: 'GET', headers: {}, signal }
    await expect(stranger(options.issuer, request)).rejects.toThrow('certificate')
    meanings['idp.example'] = [[INSIDE]]
    await expect(stranger(options.issuer, request)).rejects.toThrow('certificate')
    expect([inside(), await read()]).toEqual([1, 1])
  })

  it('without TLS is this machine, whatever it means', async () => {
    const { network } = await start()
    const { port } = new URL((await start()).options.issuer)
    const options = { issuer: `http://localhost:${port}`, audience: 'svc' }
    const resolve: Network['resolve'] = (_, done) => done(null, [{ address: '192.0.2.7', family: 4 }])
    const fetch = providerFetch(options, { ...network, resolve })
    const request = { method: 'GET', headers: {}, signal: AbortSignal.timeout(5000) }
    await expect(fetch(options.issuer, request)).rejects.toMatchObject({ code: 'SVC_PRIVATE' })
  })
})

describe('O08: what a provider names', () => {
  it('as the place of its keys, where the operator has named it, too, is judged by itself', async () => {
    const { meanings, read, inside } = await start({ keysAt: 'keys.example' })
    meanings['keys.example'] = [[OUTSIDE], [INSIDE]]
    expect([await read(), await read(61), inside()]).toEqual([1, undefined, 0])
    const other = await start({ keysAt: 'keys.example' })
    other.meanings['keys.example'] = [[INSIDE]]
    expect([await other.read(), other.inside()]).toEqual([1, 1])
  })

  it('beside that is as public as the issuer, by name and by address', async () => {
    const { meanings, read, send, asked, inside, port } = await start()
    meanings['tokens.example'] = [[INSIDE]]
    const tokens = `https://tokens.example:${port}/token`
    expect(await send(tokens)).toBe('SVC_PRIVATE')
    expect(await read()).toBe(1)
    expect([await send(tokens), await send(`https://${INSIDE}:${port}/token`)]).toEqual(['SVC_PRIVATE', 'SVC_PRIVATE'])
    expect(await send(`http://tokens.example:${port}/token`)).toBe('SVC_PRIVATE')
    expect(inside()).toBe(0)
    meanings['tokens.example'] = [[OUTSIDE]]
    expect([await send(tokens), asked.at(-1)]).toEqual([200, 'tokens.example/token secret'])
  })

  it('may be private where the issuer is', async () => {
    const { meanings, read, send, inside, port } = await start()
    meanings['idp.example'] = meanings['tokens.example'] = [[INSIDE]]
    expect([await read(), await send(`https://tokens.example:${port}/token`), inside()]).toEqual([1, 200, 3])
    expect([await send(`https://${INSIDE}:${port}/token`), inside()]).toEqual([200, 4])
  })

  it('as its token endpoint gets no secret of the console inside', async () => {
    const { meanings, options, network, asked, inside, time } = await start()
    const providers = [identityProvider(options, { ...metAt(() => time.now), network })]
    const logged: unknown[] = []
    const log = (...line: readonly unknown[]) => void logged.push(line)
    const service = { providers, log: { info: log, warn: log } } as unknown as Service
    const provider = consoleProvider(service, { clientId: 'console', clientSecret: 'hunter2' })!
    const callback = 'https://svc.example/-/console/callback'
    const finish = async () => {
      const { underWay } = await provider.begin(callback)
      return provider.finish(new URL(`${callback}?code=c&state=${underWay.state}`), underWay)
    }
    meanings['tokens.example'] = [[INSIDE], [OUTSIDE]]
    await expect(finish()).rejects.toThrow('The sign-in did not succeed.')
    expect([inside(), asked.length, JSON.stringify(logged)]).toEqual([0, 1, expect.stringContaining('failed')])
    await expect(finish()).rejects.toThrow('The sign-in did not succeed.')
    expect([inside(), asked.at(-1)]).toEqual([0, expect.stringMatching(/^tokens\.example\/token .*code=c/u)])
  })
})

it.each(['http://keys.example', 'ftp://keys.example', 'keys.example', ''])('O07 keys at %j keep a service from starting', async (origin) => {
  const oidc = [{ issuer: 'https://idp.example', audience: 'svc', jwksOrigins: [origin] }]
  await expect(startFixture({ oidc })).rejects.toThrow(`jwksOrigins holds ${JSON.stringify(origin)}, which must be an https origin`)
}) // prettier-ignore
