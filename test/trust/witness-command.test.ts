import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { cosignedAt, witnessKeyText } from '../../src/crypto/trail/cosignature.js'
import { originOf, readNote } from '../../src/crypto/trail/signed-note.js'
import { checkpointDetail, listCheckpoints } from '../../src/runtime/checkpoints/detail.js'
import { makeCheckpoint } from '../../src/runtime/checkpoints/make.js'
import { checkpointNote } from '../../src/runtime/checkpoints/note.js'
import { svc } from './command.js'
import { AUDIT_KEY, startTrail } from './trail.js'
import { startWitness } from './test-witness.js'

const servers: Server[] = []
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-witness-'))
})
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
  rmSync(folder, { recursive: true })
})

async function listen(
  answer: (url: URL, body: string) => Promise<{ status: number; type: string; body: string }>,
): Promise<string> {
  const server = createServer((request, response) => {
    void text(request)
      .then((body) => answer(new URL(request.url ?? '/', 'http://localhost'), body))
      .then(({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body))
  })
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function startLog() {
  const trail = await startTrail()
  const about = { serviceId: 'flights', ring: { keys: [AUDIT_KEY] } }
  const json = (body: object) => ({ status: 200, type: 'application/json', body: JSON.stringify(body) })
  const url = await listen(async ({ pathname, searchParams }) => {
    const id = pathname.split('/')[3]
    if (id === undefined) return json({ checkpoints: await listCheckpoints(trail.storage, 1000) })
    if (searchParams.get('format') === 'note')
      return { status: 200, type: 'text/plain', body: await checkpointNote(trail.storage, about, id) }
    return json(
      await checkpointDetail(trail.storage, id, { consistencyFrom: searchParams.get('consistency_from') ?? undefined }),
    )
  })
  const grow = async (first: number, last: number) => {
    await trail.append(first, last)
    await makeCheckpoint(trail.dependencies)
  }
  return { url, grow }
}

it('C10: svc audit witness has the newest checkpoint cosigned, again and again', async () => {
  const log = await startLog()
  const { send, key, known } = startWitness(
    'witness.example',
    { origin: originOf('flights'), jwk: AUDIT_KEY.publicJwk },
    () => 1_900_000_000,
  )
  const paths: string[] = []
  let witness = await listen((url, body) => (paths.push(url.pathname), send(body)))
  const out = join(folder, 'checkpoint.note')
  const run = () =>
    svc(
      'audit',
      'witness',
      '--service',
      log.url,
      '--witness',
      witness,
      '--witness-key',
      witnessKeyText(key),
      '--out',
      out,
    )
  expect(await run()).toMatchObject({ code: 1, err: expect.stringContaining('no checkpoint yet') })
  for (const [first, last] of [
    [1, 3],
    [4, 9],
    [10, 11],
  ] as const) {
    await log.grow(first, last)
    expect(await run()).toMatchObject({ code: 0, err: expect.stringContaining('cosigned by witness.example') })
    expect(cosignedAt(readNote(readFileSync(out, 'utf8'))!, key)).toBe(1_900_000_000)
    expect(known.last.size).toBe(last)
  }
  rmSync(out)
  await log.grow(12, 12)
  ;[log.url, witness] = [`${log.url}/`, `${witness}/`]
  expect((await run()).code).toBe(0)
  expect(paths).toEqual(Array.from({ length: 5 }, () => '/add-checkpoint'))
})

it('C10: a second history is not cosigned', async () => {
  const [log, other] = [await startLog(), await startLog()]
  const { send, key } = startWitness(
    'witness.example',
    { origin: originOf('flights'), jwk: AUDIT_KEY.publicJwk },
    () => 1_900_000_000,
  )
  const witness = await listen((_, body) => send(body))
  const run = (service: string) =>
    svc(
      'audit',
      'witness',
      '--service',
      service,
      '--witness',
      witness,
      '--witness-key',
      witnessKeyText(key),
      '--out',
      join(folder, 'note'),
    )
  await log.grow(1, 3)
  await other.grow(4, 6)
  await other.grow(7, 9)
  expect((await run(log.url)).code).toBe(0)
  expect(await run(other.url)).toMatchObject({ code: 1, err: expect.stringContaining('status 422') })
})

it('C10: keeps no note that a stranger cosigned', async () => {
  const log = await startLog()
  await log.grow(1, 3)
  const about = { origin: originOf('flights'), jwk: AUDIT_KEY.publicJwk }
  const [own, stranger] = [startWitness('w.example', about, () => 1), startWitness('w.example', about, () => 1)]
  const witness = await listen((_, body) => stranger.send(body))
  const [out, key] = [join(folder, 'note'), witnessKeyText(own.key)]
  const run = svc('audit', 'witness', '--service', log.url, '--witness', witness, '--witness-key', key, '--out', out)
  expect(await run).toMatchObject({ code: 1, err: expect.stringContaining('is not signed by the witness w.example') })
  expect(existsSync(out)).toBe(false)
})

it('C10: keeps what others cosigned beside the witness', async () => {
  const log = await startLog()
  await log.grow(1, 3)
  const about = { origin: originOf('flights'), jwk: AUDIT_KEY.publicJwk }
  const [other, own] = [startWitness('other.example', about, () => 1), startWitness('own.example', about, () => 2)]
  const witness = await listen(async (_, body) => {
    const [one, two] = [await other.send(body), await own.send(body)]
    return { ...two, body: one.body + two.body }
  })
  const [out, key] = [join(folder, 'note'), witnessKeyText(own.key)]
  expect(await svc('audit', 'witness', '--service', log.url, '--witness', witness, '--witness-key', key, '--out', out)).toMatchObject({ code: 0 }) // prettier-ignore
  const note = readNote(readFileSync(out, 'utf8'))!
  expect([cosignedAt(note, other.key), cosignedAt(note, own.key)]).toEqual([1, 2])
})

it('refuses a key that is none, and a witness that is not there', async () => {
  const log = await startLog()
  await log.grow(1, 1)
  const run = (key: string) =>
    svc('audit', 'witness', '--service', log.url, '--witness', 'http://127.0.0.1:9', '--witness-key', key)
  expect(await run('x')).toMatchObject({ code: 2, err: expect.stringContaining('name+hash+base64') })
  const { key } = startWitness('w', { origin: 'o', jwk: AUDIT_KEY.publicJwk }, () => 0)
  expect(await run(witnessKeyText(key))).toMatchObject({ code: 2, err: expect.stringContaining('cannot be reached') })
})

it('reads no answer to its end that has none', async () => {
  const server = createServer((_, response) => {
    const more = (): void => {
      if (!response.destroyed) response.write(' '.repeat(1_000_000), more)
    }
    more()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { key } = startWitness('w', { origin: 'o', jwk: AUDIT_KEY.publicJwk }, () => 0)
  const ran = await svc('audit', 'witness', '--service', url, '--witness', url, '--witness-key', witnessKeyText(key))
  const jwks = await svc('verify', 'package.json', '--jwks', url)
  server.closeAllConnections()
  server.close()
  expect(ran).toMatchObject({ code: 2, err: expect.stringContaining('answered more than 16777216 bytes') })
  expect(jwks).toMatchObject({ code: 2, err: expect.stringContaining('is too large to be a JWKS') })
})

it('follows no redirect', async () => {
  const asked: string[] = []
  const server = createServer(({ url }, response) => {
    asked.push(url ?? '')
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { key } = startWitness('w', { origin: 'o', jwk: AUDIT_KEY.publicJwk }, () => 0)
  const ran = await svc('audit', 'witness', '--service', url, '--witness', url, '--witness-key', witnessKeyText(key))
  server.close()
  expect([ran, asked]).toEqual([
    { code: 2, out: '', err: `svc: ${url}/svc/checkpoints?limit=1000 cannot be reached.\n` },
    ['/svc/checkpoints?limit=1000'],
  ])
})

it('says that an answer broke off', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('{', () => response.destroy())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { key } = startWitness('w', { origin: 'o', jwk: AUDIT_KEY.publicJwk }, () => 0)
  const ran = await svc('audit', 'witness', '--service', url, '--witness', url, '--witness-key', witnessKeyText(key))
  server.close()
  expect(ran).toMatchObject({ code: 2, err: expect.stringMatching(/^svc: http:\S+ broke off its answer\.\n$/u) })
})

it.each(['<html>', '[]', '{}', '{"checkpoints": [{}]}'])('refuses an address that answers %s', async (answer) => {
  const server = createServer((_, response) => response.end(answer))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { key } = startWitness('w', { origin: 'o', jwk: AUDIT_KEY.publicJwk }, () => 0)
  const ran = await svc('audit', 'witness', '--service', url, '--witness', url, '--witness-key', witnessKeyText(key))
  server.close()
  expect(ran).toMatchObject({ code: 2, err: expect.stringContaining('does not answer as a service does') })
})
