/** `svc signer`: a real process, a real socket, real mutual TLS, and a service that holds no private key. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { connect } from 'node:tls'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { PRODUCTION } from '../../src/cli/doctor/production.js'
import { allowance } from '../../src/cli/signer/allowance.js'
import { callersWithSecret } from '../../src/cli/signer/callers.js'
import { externalSigners } from '../../src/cli/signer/external.js'
import { heldKeys, isSigning } from '../../src/cli/signer/held-keys.js'
import { listenOnSocket } from '../../src/cli/signer/listen.js'
import { signIfAllowed } from '../../src/cli/signer/sign.js'
import { encodeBase64url } from '../../src/crypto/json/base64url.js'
import { headerFor } from '../../src/crypto/jws/jws-header.js'
import { signDelegation } from '../../src/crypto/jws/jwt.js'
import { signDetached } from '../../src/crypto/jws/jws.js'
import { signCheckpoint } from '../../src/crypto/merkle/checkpoint.js'
import { generatePrivateJwk, signerFor, type KeyRing } from '../../src/crypto/keys/key-ring.js'
import { storedKeyOf, type StoredKey } from '../../src/crypto/keys/stored-key.js'
import { sealOf } from '../../src/crypto/trail/audit-export.js'
import { noteText } from '../../src/crypto/trail/signed-note.js'
import type { KeyRole } from '../../src/protocol/words.js'
import { readSignerKeys } from '../../src/runtime/node.js'
import { writeNewKeys } from '../../src/runtime/keys/key-directory.js'
import { startFixture } from '../runtime/fixture/service.js'

const SVC = resolve('bin/svc.cjs')
const SECRET = 'a secret of forty characters, or a few..'
const PROVEN = { secret: SECRET }
// Signers and doctors of this file find it where an operator puts it.
beforeEach(() => void vi.stubEnv('SVC_SIGNER_SECRET', SECRET))
const folder = mkdtempSync(join(tmpdir(), 'svc-signer-'))
const keys = join(folder, 'keys')
const path = (name: string) => join(folder, name)
const started: ChildProcess[] = []

beforeAll(async () => {
  await writeNewKeys(keys, ['manifest', 'tokens', 'audit'], Date.now())
})
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
  vi.unstubAllEnvs()
})
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))

/** A signer as an operator starts it, its address, and the lines of its log. */
async function signer(...args: readonly string[]) {
  const child = spawn(process.execPath, [SVC, 'signer', '--keys', keys, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  started.push(child)
  let log = ''
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
  await vi.waitFor(() => expect(log).toContain('\n'), { timeout: 60_000, interval: 20 })
  const address = /"address":"([^"]+)"/u.exec(log)?.[1] ?? ''
  return { child, address, log: () => log }
}

const onSocket = (name = 'signer.sock', ...args: readonly string[]) => signer('--socket', path(name), ...args)

/** One request as any program may send it. */
function send(socket: string, method: string, url: string, body?: string, secret = SECRET) {
  return new Promise<{ readonly status: number; readonly body: { [name: string]: unknown } }>((done, reject) => {
    const sent = request(
      {
        socketPath: socket,
        method,
        path: url,
        agent: false,
        headers: { host: 'signer', authorization: `Bearer ${secret}` },
      },
      (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.on('end', () => done({ status: response.statusCode!, body: JSON.parse(text) }))
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

const CLAIMS = { iss: 'shop', jti: 'tok_1' } as never
const HEAD = { checkpoint_id: 'chk_1', sequence: 1, merkle_root: 'sha256:00', entry_count: 1, created_at: '2026-01-01T00:00:00Z' } // prettier-ignore

const keyOf = (ring: KeyRing, role: KeyRole) =>
  ring.keys.find((key) => key.role === role && key.state === 'active')!.signer!
/** The signer of one key, asked as if it were of another role. */
const asking = (socket: string, kid: string, use: string, bytes: Uint8Array | string) =>
  send(socket, 'POST', '/sign', JSON.stringify({ kid, use, bytes: encodeBase64url(bytes) }))

it('a service signs manifest, tokens and checkpoints with keys that it never holds', { timeout: 120_000 }, async () => {
  const { address, log } = await onSocket()
  expect(statSync(path('signer.sock')).mode & 0o777).toBe(0o600)
  const ring = await readSignerKeys(address, PROVEN)
  expect(JSON.stringify(ring)).not.toContain('"d":')
  const { root, invoke, call } = await startFixture({ keys: ring, clock: Date.now })
  expect((await invoke('search', (await root()).token)).body).toMatchObject({ success: true })
  expect((await call('GET', '/-/ready')).status).toBe(200)
  await signCheckpoint(signerFor(ring, 'audit'), HEAD)
  await sealOf(signerFor(ring, 'audit'), 1, 'sha256:00')
  const text = noteText('shop/svc/checkpoints', { entry_count: 1, merkle_root: `sha256:${'0'.repeat(64)}` })
  expect(await signerFor(ring, 'audit').sign(Buffer.from(text))).toHaveLength(64)
  const signedAs = (line: string) => /"use":"(\w+)".*"artefact":"(\w+)"/u.exec(line)?.slice(1).join(' ')
  await vi.waitFor(() => {
    const artefacts = new Set(log().split('\n').flatMap((line) => signedAs(line) ?? [])) // prettier-ignore
    expect(artefacts).toEqual(new Set(['manifest manifest', 'tokens delegation', 'audit checkpoint', 'audit seal', 'audit note'])) // prettier-ignore
  }, { timeout: 30_000 }) // prettier-ignore
  expect(log()).not.toMatch(/eyJ|shop\/svc/u)
})

it('ends with a clear failure and is not ready while the signer is dead, and goes on by itself', { timeout: 120_000 }, async () => {
  const first = await onSocket()
  const { post, call, logged } = await startFixture({ keys: await readSignerKeys(first.address, PROVEN), clock: Date.now })
  const buy = () => post('/svc/tokens', 'ana-key', { scope: ['travel.search'] })
  expect((await buy()).status).toBe(200)
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  const { status, body } = await buy()
  expect([status, body['failure']?.['type'], body['failure']?.['retry']]).toEqual([503, 'service_unavailable', true])
  expect(logged.join()).toContain(`The signer at ${first.address} does not answer`)
  expect(await call('GET', '/-/ready')).toMatchObject({ status: 503, body: { status: 'unavailable', keys: false } })
  // The socket of the killed one is there still.
  expect(existsSync(path('signer.sock'))).toBe(true)
  await onSocket()
  expect((await buy()).status).toBe(200)
  expect((await call('GET', '/-/ready')).body).toMatchObject({ keys: true })
}) // prettier-ignore

it('signs with a key only what its role signs, and says why not', { timeout: 120_000 }, async () => {
  const { address, log } = await onSocket('roles.sock')
  const ring = await readSignerKeys(address, PROVEN)
  const [tokens, audit] = [keyOf(ring, 'tokens').kid, keyOf(ring, 'audit').kid]
  const inputs: Uint8Array[] = []
  const collecting = (kid: string) => ({ kid, sign: (data: Uint8Array) => (inputs.push(data), new Uint8Array(64)) })
  await signCheckpoint(collecting(tokens), HEAD)
  await signDelegation(collecting(audit), CLAIMS)
  await signDetached(collecting(tokens), Buffer.from('{"anything":1}'))
  const [checkpoint, delegation, anything] = inputs as [Uint8Array, Uint8Array, Uint8Array]
  const socket = path('roles.sock')
  const noted = noteText('shop/svc/checkpoints', { entry_count: 1, merkle_root: `sha256:${'0'.repeat(64)}` })
  const unsigned = `${headerFor('other')}.${encodeBase64url('{}')}`
  const refused = [
    [await asking(socket, tokens, 'tokens', checkpoint), 'The bytes are a checkpoint, which no key for tokens signs.'],
    [await asking(socket, tokens, 'tokens', noted), 'The bytes are a note, which no key for tokens signs.'],
    [await asking(socket, audit, 'audit', delegation), 'The bytes are a delegation, which no key for audit signs.'],
    [await asking(socket, tokens, 'audit', checkpoint), `The key ${tokens} is for tokens, not for audit.`],
    [await asking(socket, tokens, 'tokens', anything), 'The bytes are nothing that a service signs.'],
    [await asking(socket, tokens, 'tokens', unsigned), 'The bytes are nothing that a service signs.'],
    [await asking(socket, 'none', 'tokens', anything), 'There is no key none.'],
  ] as const
  for (const [{ status, body }, error] of refused) expect([status, body]).toEqual([403, { error }])
  expect((await asking(socket, tokens, 'root', anything)).status).toBe(400)
  expect((await send(socket, 'POST', '/sign', '{"kid":')).status).toBe(400)
  expect((await send(socket, 'GET', '/private')).status).toBe(404)
  await vi.waitFor(() => expect(log().match(/"msg":"Not signed."/gu)).toHaveLength(10), { timeout: 30_000 })
  expect(log()).not.toContain('anything')
})

it('signs on a socket only for whoever knows its secret: the user alone is not enough', { timeout: 120_000 }, async () => {
  const { address, log } = await onSocket('secret.sock')
  const refusal = 'The secret is not that of this signer. Set the same SVC_SIGNER_SECRET for the service.'
  for (const secret of [undefined, '', 'x', `${SECRET}x`, SECRET.slice(1)])
    await expect(readSignerKeys(address, { secret })).rejects.toThrow(`The signer at ${address} refused: ${refusal}`)
  const { kid } = keyOf(await readSignerKeys(address, PROVEN), 'tokens')
  const body = JSON.stringify({ kid, use: 'tokens', bytes: '' })
  expect(await send(path('secret.sock'), 'POST', '/sign', body, 'x')).toEqual({ status: 403, body: { error: refusal } })
  await vi.waitFor(() => expect(log()).toContain('"caller":"unknown"'), { timeout: 30_000 })
  expect(log()).not.toContain(SECRET)
}) // prettier-ignore

it.each([undefined, '', 'x'.repeat(31), ' '.repeat(32), 'x'.repeat(32), 'ab'.repeat(32), `${SECRET}\n`, `é${SECRET}`])('does not start on a socket with the secret %j', (secret) => {
  expect(() => callersWithSecret(secret)).toThrow('set SVC_SIGNER_SECRET, here and for the service, to at least 32 characters')
}) // prettier-ignore

it('bounds sizes and the rate', { timeout: 120_000 }, async () => {
  const { address } = await onSocket('bounds.sock', '--rate', '1')
  const ring = await readSignerKeys(address, PROVEN)
  const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => signDelegation(keyOf(ring, 'tokens'), CLAIMS)))
  const said = outcomes.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))
  expect(said.length).toBeGreaterThan(0)
  expect(said.length).toBeLessThan(100)
  expect(new Set(said).size).toBe(1)
  expect(said[0]).toContain('Too many signatures a second.')
  const answer = await send(path('bounds.sock'), 'POST', '/sign', 'x'.repeat(12_000_000)).catch(() => undefined)
  expect(answer?.status ?? 413).toBe(413)
}) // prettier-ignore

it('follows a rotation, and signs no more with a key that was retired', { timeout: 120_000 }, async () => {
  const { address } = await onSocket('rotation.sock')
  const before = keyOf(await readSignerKeys(address, PROVEN), 'tokens')
  execFileSync(process.execPath, [SVC, 'keys', 'rotate', '--dir', keys, '--role', 'tokens', '--lead', 'PT0S'])
  execFileSync(process.execPath, [SVC, 'keys', 'retire', '--dir', keys, '--', before.kid])
  const [next] = (await vi.waitFor(async () => {
    const { keys: read } = await readSignerKeys(address, PROVEN)
    const others = read.filter(({ role, kid }) => role === 'tokens' && kid !== before.kid)
    expect(read.some(({ kid, signer: own }) => kid === before.kid && own !== undefined)).toBe(false)
    return others
  }, { timeout: 30_000, interval: 200 }))! // prettier-ignore
  expect(next?.state).toMatch(/next|active/u)
  await expect(signDelegation(before, CLAIMS)).rejects.toThrow('refused')
  rmSync(keys, { recursive: true })
  await writeNewKeys(keys, ['manifest', 'tokens', 'audit'], Date.now())
})

it('asks over mutual TLS for a certificate of its authority with a name that may ask', { timeout: 120_000 }, async () => {
  const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  for (const authority of ['ca', 'stranger-ca'])
    openssl('req', '-x509', ...key, '-keyout', `${authority}.key`, '-out', `${authority}.pem`, '-subj', `/CN=${authority}`, '-days', '2')
  const issue = (name: string, authority: string, san: string) => {
    writeFileSync(path(`${name}.ext`), `subjectAltName=${san}`)
    openssl('req', ...key, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`)
    openssl('x509', '-req', '-in', `${name}.csr`, '-CA', `${authority}.pem`, '-CAkey', `${authority}.key`, '-CAcreateserial', '-out', `${name}.pem`, '-days', '2', '-extfile', `${name}.ext`)
  }
  issue('signer', 'ca', 'IP:127.0.0.1')
  issue('shop', 'ca', 'DNS:shop')
  issue('other', 'ca', 'DNS:other')
  issue('forged', 'stranger-ca', 'DNS:shop')
  const { address } = await signer('--listen', '127.0.0.1:0', '--cert', path('signer.pem'), '--key', path('signer.key'), '--ca', path('ca.pem'), '--client', 'shop')
  const as = (name: string, authority = 'ca') =>
    readSignerKeys(address, { certificate: path(`${name}.pem`), key: path(`${name}.key`), authority: path(`${authority}.pem`) })
  const keys = await as('shop')
  expect((await (await keys.reload!()).reload!()).keys.map(({ kid }) => kid)).toEqual(keys.keys.map(({ kid }) => kid))
  const { root } = await startFixture({ keys, clock: Date.now })
  expect((await root()).token).toMatch(/^eyJ/u)
  await expect(as('other')).rejects.toThrow('The certificate is of nobody who may ask.')
  await expect(as('forged')).rejects.toThrow('does not answer')
  await expect(as('shop', 'stranger-ca')).rejects.toThrow('does not answer')
  await expect(readSignerKeys(address)).rejects.toThrow('needs three files')
  const [, host = '', port = ''] = /^https:\/\/(.+):(\d+)/u.exec(address) ?? []
  const files = { cert: readFileSync(path('shop.pem')), key: readFileSync(path('shop.key')), ca: readFileSync(path('ca.pem')) }
  const spoken = (maxVersion: 'TLSv1.2' | 'TLSv1.3') =>
    new Promise<string>((done) => {
      const socket = connect({ host, port: Number(port), ...files, maxVersion }, () => (done(socket.getProtocol()!), socket.destroy()))
      socket.on('error', ({ code }: NodeJS.ErrnoException) => done(code!))
    })
  expect([await spoken('TLSv1.3'), await spoken('TLSv1.2')]).toEqual(['TLSv1.3', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'])
}) // prettier-ignore

it('signs by a command with keys whose private half is elsewhere, and gives out only what verifies', { timeout: 120_000 }, async () => {
  const module = path('module')
  mkdirSync(module)
  const code = `const c=require('node:crypto'),f=require('node:fs');const d=f.readFileSync(0);
    if(d.length!==32)process.exit(1)
    process.stdout.write(process.env.SVC_ROLE==='audit'?Buffer.alloc(64):f.readFileSync(${JSON.stringify(join(module, 'signature'))}))`
  writeFileSync(join(module, 'sign.cjs'), code)
  const { generateKeyPairSync, sign } = await import('node:crypto')
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  writeFileSync(join(module, 'public.der'), publicKey.export({ type: 'spki', format: 'der' }))
  const dir = join(module, 'keys')
  const add = (role: string, file: string) => execFileSync(process.execPath, [SVC, 'keys', 'generate', '--dir', dir, '--role', role, '--public-key', file])
  add('tokens', join(module, 'public.der'))
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'pem' })
  writeFileSync(join(module, 'other.pem'), other)
  add('audit', join(module, 'other.pem'))
  const { address, log } = await signer('--keys', dir, '--socket', path('module.sock'), '--command', `"${process.execPath}" "${join(module, 'sign.cjs')}"`)
  const ring = await readSignerKeys(address, PROVEN)
  const tokens = keyOf(ring, 'tokens')
  let input: Uint8Array = new Uint8Array()
  await signDelegation({ kid: tokens.kid, sign: (data) => ((input = data), new Uint8Array(64)) }, CLAIMS)
  const expected = sign('sha256', input, { key: privateKey, dsaEncoding: 'ieee-p1363' })
  writeFileSync(join(module, 'signature'), expected)
  expect(Buffer.from(await tokens.sign(input))).toEqual(expected)
  await expect(signCheckpoint(keyOf(ring, 'audit'), HEAD)).rejects.toThrow('The key cannot sign at the moment.')
  await vi.waitFor(() => expect(log()).toContain('no signature (r and s, 64 bytes)'), { timeout: 30_000 })
}) // prettier-ignore

it('runs sixteen commands at once, and no more', async () => {
  const signs = externalSigners('cat')(storedKeyOf(generatePrivateJwk(), 'tokens', 0))
  const asked = async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 17 }, () => signs.sign(Buffer.from('x'))))
    return outcomes.map((each) => /runs? already|no signature/u.exec(String(each.status === 'rejected' && each.reason))?.[0])
  }
  const sixteen = Array<string>(16).fill('no signature')
  expect([await asked(), await asked()]).toEqual([[...sixteen, 'run already'], [...sixteen, 'run already']])
}) // prettier-ignore

it('signs with a private half that is here, whatever signs for the others', async () => {
  const elsewhere = ({ publicJwk }: StoredKey) => ({ kid: publicJwk.kid, sign: async () => new Uint8Array(64) })
  const held = await (await heldKeys(keys, elsewhere, {} as never))()
  const signatures = await Promise.all(held.map(({ signer: own }) => own!.sign(Buffer.from('x'))))
  expect(signatures.filter((each) => each.every((byte) => byte === 0))).toEqual([])
})

it.each([
  [['--socket', 'taken'], 'is there and no socket'],
  [[], 'Set a listen address'],
  [['--listen', '127.0.0.1:0'], 'Mutual TLS needs --cert, --key, --ca and --client.'],
  [['--socket', 'rate.sock', '--rate', '0'], '--rate 0 must be a number'],
])('svc signer %j ends with code 2: %s', { timeout: 60_000 }, async (args, message) => {
  writeFileSync(path('taken'), '')
  const child = spawn(process.execPath, [SVC, 'signer', '--keys', keys, ...args], { cwd: folder })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  expect((await once(child, 'close'))[0]).toBe(2)
  expect(said).toContain(message)
})

it('a second signer does not take the socket of one that runs', { timeout: 60_000 }, async () => {
  await onSocket('one.sock')
  const child = spawn(process.execPath, [SVC, 'signer', '--keys', keys, '--socket', path('one.sock')])
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  expect((await once(child, 'close'))[0]).toBe(2)
  expect(said).toContain('Another process listens on')
})

it('takes so many a second, and saves up no more', () => {
  let ms = 0
  const take = allowance(2, () => ms)
  const taken = (...times: readonly number[]) => times.map((time) => ((ms = time), take()))
  expect(taken(0, 0, 0, 499, 500, 500)).toEqual([true, true, false, false, true, false])
  expect(taken(60_000, 60_000, 60_000)).toEqual([true, true, false])
})

it('takes nothing from the rate for what it refuses', async () => {
  const held = await (await heldKeys(keys, undefined, {} as never))()
  const { kid } = held.find(({ stored }) => stored.role === 'tokens')!.stored.publicJwk
  let taken = 0
  const take = () => (taken += 1) < 2
  const asked = async (bytes: Uint8Array | string) => {
    const body = Buffer.from(JSON.stringify({ kid, use: 'tokens', bytes: encodeBase64url(bytes) }))
    return (await signIfAllowed(body, held, take)).status
  }
  let input: Uint8Array = new Uint8Array()
  await signDelegation({ kid, sign: (data) => ((input = data), new Uint8Array(64)) }, CLAIMS)
  expect([await asked('anything'), await asked('anything'), taken]).toEqual([403, 403, 0])
  expect([await asked(input), await asked(input), await asked('anything')]).toEqual([200, 429, 403])
})

it.each([
  [{ activeFrom: 60_000 }, true],
  [{ activeFrom: 60_001 }, false],
  [{ activeFrom: -9, retiredFrom: -59_999 }, false],
  [{ activeFrom: -90_000, retiredFrom: -59_999 }, true],
  [{ activeFrom: -90_000, retiredFrom: -60_000 }, false],
  [{}, false],
])('a key of %j signs at 0, give or take a minute: %s', (times, signs) => {
  const now = Date.parse('2030-01-01T00:00:00.000Z')
  const shifted = Object.fromEntries(Object.entries(times).map(([name, ms]) => [name, now + ms]))
  const key = { publicJwk: {} as never, role: 'tokens', createdAt: 0, ...shifted } as const
  expect(isSigning(key, now)).toBe(signs)
})

it('reads its keys again after a second, and keeps those that it has where they cannot be read', async () => {
  const dir = path('read-again')
  const said: string[] = []
  const log = { error: (message: string) => void said.push(message) } as never
  await writeNewKeys(dir, ['tokens'], Date.now())
  vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] })
  const held = await heldKeys(dir, undefined, log)
  await writeNewKeys(dir, ['audit'], Date.now())
  const roles = async () => (await held()).map(({ stored }) => stored.role).toSorted()
  expect(await roles()).toEqual(['tokens'])
  vi.setSystemTime(Date.now() + 1000)
  expect(await roles()).toEqual(['audit', 'tokens'])
  rmSync(dir, { recursive: true })
  vi.setSystemTime(Date.now() + 1000)
  expect(await roles()).toEqual(['audit', 'tokens'])
  expect(said).toEqual(['The keys cannot be read; those that were read last stay.'])
  await expect(heldKeys(dir, undefined, log)).rejects.toThrow(dir)
  vi.useRealTimers()
})

it('has a socket of the mode that is asked for, and leaves the umask as it was', async () => {
  const umask = process.umask()
  for (const mode of [0o600, 0o660]) {
    const server = await listenOnSocket(() => undefined, path('mode.sock'), mode)
    expect(statSync(path('mode.sock')).mode & 0o777).toBe(mode)
    server.close()
    await once(server, 'close')
  }
  await expect(listenOnSocket(() => undefined, path('none/x.sock'), 0o600)).rejects.toThrow('The signer cannot listen')
  expect(process.umask()).toBe(umask)
})

it('svc doctor --production knows it', { timeout: 60_000 }, async () => {
  const { address } = await onSocket('doctor.sock')
  const asked = async (name: string, env: { readonly [name: string]: string }) => {
    for (const [each, value] of Object.entries(env)) vi.stubEnv(each, value)
    const found = await PRODUCTION.find((each) => each.name === name)!.of(folder)
    return `${found?.state} ${found?.says}`
  }
  expect(await asked('keys', { SVC_SIGNER: address, SVC_KEYS: 'none' })).toContain('ok each role signs at unix:')
  expect(await asked('keys', { SVC_KEYS: keys })).toContain('warning This process can read private keys')
  chmodSync(path('doctor.sock'), 0o666)
  expect(await asked('keys', {})).toContain('error Everybody on this machine may use')
  expect(await asked('keys', { SVC_SIGNER: `unix:${path('away.sock')}` })).toContain('error The signer at')
  expect(await asked('state', {})).toContain('error With a signer there is no folder')
})
