/** What a service takes from the process that holds its keys, and what it does not (`svc signer`). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { generatePrivateJwk } from '../../src/crypto/keys/key-ring.js'
import {
  generateSecret,
  ringSecretsAt,
  writeStoredSecret,
  type StoredSecret,
} from '../../src/crypto/keys/secret-key.js'
import { storedKeyOf, writeStoredKey, type StoredKey } from '../../src/crypto/keys/stored-key.js'
import { routeTo } from '../../src/runtime/keys/remote/address.js'
import { readSignerKeys } from '../../src/runtime/keys/remote/ring.js'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'svc-remote-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))

interface Seen {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly body: string
}

/** A signer without secrets that answers as a test says, on a socket. */
async function signer(
  answer: (response: ServerResponse, seen: Seen, request: IncomingMessage) => void,
  secrets: readonly StoredSecret[] = [],
) {
  const seen: Seen[] = []
  let given = 0
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => (body += part))
    request.on('end', () => {
      if (request.url === '/secrets') {
        given += 1
        return void json(response, { keys: secrets.map((each) => JSON.parse(writeStoredSecret(each)) as object) })
      }
      seen.push({ method: request.method, url: request.url, body })
      answer(response, seen.at(-1)!, request)
    })
  })
  const socket = join(folder, 'signer.sock')
  await new Promise<void>((done) => server.listen(socket, done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { address: `unix:${socket}`, seen, asked: () => given }
}

const json = (response: ServerResponse, value: object | string, status = 200) =>
  response.writeHead(status).end(typeof value === 'string' ? value : JSON.stringify(value))

const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const keyed = (role: StoredKey['role'], isPublic = true): StoredKey => {
  const { privateJwk, ...key } = storedKeyOf(generatePrivateJwk(), role, NOW)
  return { ...key, activeFrom: NOW, ...(isPublic ? {} : { privateJwk: privateJwk! }) }
}
const written = (...keys: readonly StoredKey[]) => keys.map((key) => JSON.parse(writeStoredKey(key)) as object)

it('its keys sign by asking it for the role and the bytes, and those that it does not sign with verify alone', async () => {
  const [tokens, audit] = [keyed('tokens'), keyed('audit')]
  const { kid } = tokens.publicJwk
  const { address, seen } = await signer((response, { url }) =>
    json(response, url === '/keys' ? { keys: written(tokens, audit), signs: [kid] } : { signature: 'AQID' }),
  )
  const ring = await readSignerKeys(address, {}, () => NOW)
  expect(ring.keys.map(({ role, state, signer: signs }) => [role, state, signs?.kid])).toEqual([
    ['tokens', 'active', kid],
    ['audit', 'active', undefined],
  ])
  expect([...(await ring.keys[0]!.signer!.sign(Buffer.from('hello')))]).toEqual([1, 2, 3])
  expect(seen).toEqual([
    { method: 'GET', url: '/keys', body: '' },
    { method: 'POST', url: '/sign', body: JSON.stringify({ kid, use: 'tokens', bytes: 'aGVsbG8' }) },
  ])
})

it('gives its secrets once, when a process starts', async () => {
  const secret = generateSecret('rows', NOW)
  const { address, asked } = await signer((response) => json(response, { keys: [], signs: [] }), [secret])
  const ring = await readSignerKeys(address, {}, () => NOW)
  const again = await ring.reload!()
  expect([ring.secrets, again.secrets]).toEqual([ringSecretsAt([secret], NOW), ringSecretsAt([secret], NOW)])
  expect(asked()).toBe(1)
})

it('is asked for its keys again when the ring is read anew, by the clock of then', async () => {
  let now = NOW - 1
  const { address, seen } = await signer((response) => json(response, { keys: written(keyed('tokens')), signs: [] }))
  const ring = await readSignerKeys(address, {}, () => now)
  expect(ring.keys[0]!.state).toBe('next')
  now = NOW
  expect((await ring.reload!()).keys[0]!.state).toBe('active')
  await ring.ready!()
  expect(seen.map(({ url }) => url)).toEqual(['/keys', '/keys', '/keys'])
})

it.each<[string, (response: ServerResponse) => unknown, string]>([
  ['private keys', (response) => json(response, { keys: written(keyed('tokens'), keyed('audit', false)), signs: [] }), 'hands out private keys. Retire them: svc keys retire <kid>'],
  ['no keys', (response) => json(response, { keys: 'none' }), 'The keys of the signer at '],
  ['a refusal', (response) => json(response, { error: 'not you' }, 403), ' refused: not you'],
  ['a long refusal', (response) => json(response, { error: 'x'.repeat(400) }, 403), ` refused: ${'x'.repeat(300)}`],
  ['a status', (response) => json(response, '', 500), ' refused: it answered 500'],
  ['a list', (response) => json(response, []), ' refused: it answered 200'],
  ['a member twice', (response) => json(response, '{"keys":[],"keys":[]}'), ' refused: it answered 200'],
  ['too much', (response) => json(response, ' '.repeat(1_048_577)), ' does not answer: its answer is longer than 1048576 bytes. Start it with: svc signer'],
  ['nothing', (response) => response.destroy(), ' does not answer: socket hang up. Start it with: svc signer'],
])('that gives %s is named with what is wrong', async (what, answer, message) => {
  const { address } = await signer(answer)
  const error = (await readSignerKeys(address).catch((thrown: unknown) => thrown)) as Error
  expect([error.name, error.message.includes(address)]).toEqual(['KeyTrouble', true])
  expect(error.message).toContain(message)
  if (what === 'a long refusal') expect(error.message.endsWith(`: ${'x'.repeat(300)}`)).toBe(true)
}) // prettier-ignore

it.each([{}, { signature: 7 }, { signature: 'no base64url!' }])('that signs with %j has signed nothing', async (answer) => {
  const key = keyed('tokens')
  const { address } = await signer((response, { url }) => json(response, url === '/keys' ? { keys: written(key), signs: [key.publicJwk.kid] } : answer)) // prettier-ignore
  const ring = await readSignerKeys(address, {}, () => NOW)
  await expect(ring.keys[0]!.signer!.sign(Buffer.from('x'))).rejects.toThrow('gave no signature')
}) // prettier-ignore

it('that has closed a connection which lay idle is asked once more, and no further', async () => {
  let asked = 0
  const { address } = await signer((response, _, request) => {
    asked++
    if (asked === 2 || asked > 3) return void request.socket.destroy()
    json(response, { keys: written(keyed('tokens')), signs: [] })
  })
  const ring = await readSignerKeys(address)
  await ring.ready!()
  expect(asked).toBe(3)
  await expect(ring.ready!()).rejects.toThrow('does not answer')
  expect(asked).toBe(5)
})

describe('its address', () => {
  it.each([
    'http://signer.internal:4150', 'https://signer.internal/x', 'https://signer.internal/?x=1', 'https://me@signer.internal', 'unix:signer.sock', 'signer', '',
  ])('%j is none', async (address) => {
    await expect(routeTo(address, {})).rejects.toThrow(`The signer ${JSON.stringify(address)} must be a socket or an https address`)
  }) // prettier-ignore

  it.each(['certificate', 'key', 'authority'] as const)('over https needs the %s, and a file that is there', async (missing) => {
    const file = join(folder, 'file')
    writeFileSync(file, 'PEM')
    const all = { certificate: file, key: file, authority: file }
    await expect(routeTo('https://signer.internal', { ...all, [missing]: undefined })).rejects.toThrow('needs three files')
    const gone = join(folder, missing)
    await expect(routeTo('https://signer.internal', { ...all, [missing]: gone })).rejects.toThrow(`The file ${gone} for the signer cannot be read: `)
  }) // prettier-ignore

  it('over https is spoken to by TLS 1.3, with all three, at the port that it names or 443', async () => {
    const fileOf = (name: string) => (writeFileSync(join(folder, name), name), join(folder, name))
    const options = { certificate: fileOf('cert'), key: fileOf('key'), authority: fileOf('ca') }
    const { options: route } = await routeTo('https://signer.internal:4150', options)
    expect(route).toMatchObject({ host: 'signer.internal', port: '4150' })
    const agent = route.agent as never as { readonly options: { readonly [name: string]: unknown } }
    expect([agent.options['minVersion'], String(agent.options['cert']), String(agent.options['key']), String(agent.options['ca'])]).toEqual(['TLSv1.3', 'cert', 'key', 'ca']) // prettier-ignore
    expect((await routeTo('https://signer.internal', options)).options.port).toBe(443)
  })
})
