import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
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

/** A small page, so that a witness of an old size needs several. */
const PAGE = 2

async function startLog() {
  const trail = await startTrail()
  const about = { serviceId: 'flights', ring: { keys: [AUDIT_KEY] } }
  const json = (body: object) => ({ status: 200, type: 'application/json', body: JSON.stringify(body) })
  const answer = async ({ pathname, searchParams }: URL) => {
    const id = pathname.split('/')[3]
    if (id === undefined)
      return json(
        await listCheckpoints(trail.storage, { limit: PAGE, cursor: searchParams.get('cursor') ?? undefined }),
      )
    if (searchParams.get('format') === 'note')
      return { status: 200, type: 'text/plain', body: await checkpointNote(trail.storage, about, id) }
    return json(
      await checkpointDetail(trail.storage, id, { consistencyFrom: searchParams.get('consistency_from') ?? undefined }),
    )
  }
  const url = await listen(answer)
  const grow = async (first: number, last: number) => {
    await trail.append(first, last)
    await makeCheckpoint(trail.dependencies)
  }
  return { url, answer, grow }
}

type Log = Awaited<ReturnType<typeof startLog>>

/** A service that signs two trails with one key, and shows whom it likes the one or the other. */
async function startSplitService() {
  const [left, right] = [await startLog(), await startLog()]
  const shown: { answer: Log['answer'] } = { answer: left.answer }
  const url = await listen((asked) => shown.answer(asked))
  const about = { origin: originOf('flights'), jwk: AUDIT_KEY.publicJwk }
  const { send, key, known } = startWitness('witness.example', about, () => 1_900_000_000)
  let asked = 0
  const witness = await listen((_, body) => (asked++, send(body)))
  const run = async (name: string, answer: Log['answer']) => {
    shown.answer = answer
    const out = join(folder, name)
    const before = existsSync(out) ? readFileSync(out, 'utf8') : undefined
    const told = asked
    const ran = await svc('audit', 'witness', '--service', url, '--witness', witness, '--witness-key', witnessKeyText(key), '--out', out) // prettier-ignore
    const after = existsSync(out) ? readFileSync(out, 'utf8') : undefined
    return { code: ran.code, err: ran.err, isKept: after !== before, asked: asked - told }
  }
  await left.grow(1, 3)
  expect(await run('ana.note', left.answer)).toMatchObject({ code: 0, isKept: true, asked: 1 })
  const cosigned = known.last
  const refused = { code: 1, isKept: false }
  return { left, right, run, refused, isUnmoved: () => known.last === cosigned }
}

const FORKED = 'it has cosigned another history of this trail, so the trail has forked'

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

describe('C10: a service that shows a witness one trail, and an auditor another under the same key', () => {
  it('of the same size: the witness does not cosign, and the fork is named', async () => {
    const { right, run, refused, isUnmoved } = await startSplitService()
    await right.grow(51, 53)
    const ran = await run('bob.note', right.answer)
    expect(ran).toMatchObject({ ...refused, asked: 2, err: expect.stringContaining(`(status 409): ${FORKED}.`) })
    expect(isUnmoved()).toBe(true)
  })

  it('that is longer: no proof leads there', async () => {
    const { right, run, refused, isUnmoved } = await startSplitService()
    await right.grow(51, 53)
    await right.grow(54, 59)
    const ran = await run('bob.note', right.answer)
    expect(ran).toMatchObject({ ...refused, asked: 2, err: expect.stringContaining(`(status 422): ${FORKED}.`) })
    expect(isUnmoved()).toBe(true)
  })

  it('without a checkpoint of the size that the witness knows', async () => {
    const { right, run, refused, isUnmoved } = await startSplitService()
    await right.grow(51, 52)
    const shorter = await run('bob.note', right.answer)
    await right.grow(53, 59)
    const longer = await run('bob.note', right.answer)
    for (const ran of [shorter, longer])
      expect(ran).toMatchObject({ ...refused, asked: 1, err: expect.stringContaining('no checkpoint of size 3, which the witness knows') }) // prettier-ignore
    expect(isUnmoved()).toBe(true)
  })

  it('is found by the note that was kept, before anybody is asked', async () => {
    const { right, run, refused } = await startSplitService()
    await right.grow(51, 53)
    const same = await run('ana.note', right.answer)
    await right.grow(54, 59)
    const longer = await run('ana.note', right.answer)
    for (const ran of [same, longer])
      expect(ran).toMatchObject({ ...refused, asked: 0, err: expect.stringMatching(/The trail has forked: its checkpoint of size 3, \S+, has another root than \S+ana\.note\./u) }) // prettier-ignore
  })

  it('and lists the checkpoint that was cosigned as if it were of the other', async () => {
    const { left, right, run, refused, isUnmoved } = await startSplitService()
    await right.grow(51, 53)
    await right.grow(54, 59)
    const listOf = async ({ answer }: Log) => {
      const { body } = await answer(new URL('http://localhost/svc/checkpoints'))
      return (JSON.parse(body) as { readonly checkpoints: readonly object[] }).checkpoints
    }
    const [[newest, older], [cosigned]] = [await listOf(right), await listOf(left)]
    const forged = JSON.stringify({ checkpoints: [newest, { ...older, ...cosigned, checkpoint_id: 'cp_left' }] })
    const ran = await run('ana.note', async (asked) => {
      const json = { status: 200, type: 'application/json' }
      if (asked.pathname === '/svc/checkpoints') return { ...json, body: forged }
      if (asked.searchParams.has('consistency_from'))
        asked.searchParams.set('consistency_from', (older as { readonly checkpoint_id: string }).checkpoint_id)
      return right.answer(asked)
    })
    expect(ran).toMatchObject({ ...refused, asked: 1, err: expect.stringContaining(`(status 422): ${FORKED}.`) })
    expect(isUnmoved()).toBe(true)
  })

  it.each([
    ['another root', 54],
    ['another size', 55],
  ])('and a note of the one beside a list of the other: nobody is asked to cosign %s', async (_, last) => {
    const { left, right, run, refused, isUnmoved } = await startSplitService()
    await left.grow(4, 4)
    await right.grow(51, last)
    const ran = await run('bob.note', async (asked) => {
      if (asked.searchParams.get('format') !== 'note') return right.answer(asked)
      const { body } = await left.answer(new URL('http://localhost/svc/checkpoints'))
      const [{ checkpoint_id } = { checkpoint_id: '' }] = (JSON.parse(body) as { checkpoints: { checkpoint_id: string }[] }).checkpoints // prettier-ignore
      return left.answer(new URL(`http://localhost/svc/checkpoints/${checkpoint_id}?format=note`))
    })
    expect(ran).toMatchObject({ ...refused, asked: 0, err: expect.stringContaining('the service shows two histories') })
    expect(isUnmoved()).toBe(true)
  })
})

it.each([
  [403, 'it knows no key that has signed this checkpoint'],
  [404, 'it does not know this trail'],
  [500, 'it knows another history, or another log'],
])('C10: says why a witness refuses with %i', async (status, reason) => {
  const log = await startLog()
  await log.grow(1, 3)
  const { key } = startWitness('w', { origin: 'o', jwk: AUDIT_KEY.publicJwk }, () => 0)
  const witness = await listen(async () => ({ status, type: 'text/plain', body: '' }))
  const out = join(folder, 'note')
  const ran = await svc('audit', 'witness', '--service', log.url, '--witness', witness, '--witness-key', witnessKeyText(key), '--out', out) // prettier-ignore
  expect(ran).toMatchObject({ code: 1, err: `svc: The witness does not cosign (status ${status}): ${reason}.\n` })
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
