/** `kill -9` of one of two replicas while it renews: that person connects again, and nobody else notices (section 19). */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { browserAt } from '../console/world.js'
import { writeNewKeys } from '../../src/runtime/keys/key-directory.js'
import { startPostgres, type PostgresServer } from '../runtime/storage/postgres-server.js'
import { authorizationServer, consented } from './world.js'

const { issuer, control } = authorizationServer()
let server: PostgresServer
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-killed-'))
  await writeNewKeys(join(folder, 'keys'), ['manifest', 'tokens', 'audit'], Date.now())
  server = await startPostgres()
}, 60_000)
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 20 })
})

async function startReplica(database: string) {
  const file = join(import.meta.dirname, 'replica.js')
  const config = JSON.stringify({ keys: join(folder, 'keys'), database, issuer: issuer() })
  const child = spawn(process.execPath, [file, config], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  onTestFinished(kill)
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { url: line.toString().trim(), kill }
}

async function posted(address: string, bearer: string, body: object) {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
  const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await response.json()) as {
    readonly token?: string
    readonly result?: { readonly account?: string }
    readonly failure?: { readonly type: string; readonly detail: string }
  }
}

/** Two agents of a person, whose tokens every replica takes. */
const agentsOf = (url: string, name: string) =>
  Promise.all(
    ['one', 'other'].map(async (agent) => {
      const { token } = await posted(`${url}/svc/tokens`, `${name}-key`, { scope: ['mail'], subject: `agent:${agent}` })
      return async (place: string) => {
        const { result, failure } = await posted(`${place}/svc/invoke/read_mail`, token!, { parameters: {} })
        return result?.account ?? failure?.detail
      }
    }),
  )

async function connect(url: string, name: string): Promise<void> {
  const browser = browserAt(url)
  await browser.byKey(`${name}-key`)
  await browser.get(await consented(browser, url, `${name}@mail.example`))
}

it('ends the connection of that person alone, said so, with no account mixed and no refresh token sent twice', async () => {
  await control({ sent: [], reused: 0, delay: 0, fail: 0, lifetime: 600 })
  const database = await server.database('mailers')
  const replicas = [await startReplica(database), await startReplica(database)]
  for (const [victim, name, others] of [[0, 'ana', 'bob'], [1, 'bob', 'ana']] as const) {
    const [killed, standing] = [replicas[victim]!, replicas[1 - victim]!]
    await connect(killed.url, 'ana')
    await connect(standing.url, 'bob')
    const [own, foreign] = [await agentsOf(standing.url, name), await agentsOf(standing.url, others)]
    const { sent } = await control({ delay: 3_000 })
    const cut = Promise.allSettled(own.map((call) => call(killed.url)))
    await expect.poll(async () => (await control()).sent.length, { timeout: 10_000 }).toBe(sent.length + 1)
    await killed.kill()
    expect((await cut).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await control({ delay: 0 })
    expect(await Promise.all(foreign.map((call) => call(standing.url)))).toEqual(Array(2).fill(`${others}@mail.example`))
    await halfAMinuteLater(database)
    const lost =
      `The account of human:${name} at mail is not connected: its renewal was cut off. Open connection_url as human:${name}, ` +
      'and make the call again.'
    expect(await Promise.all(own.map((call) => call(standing.url)))).toEqual([lost, lost])
    await connect(standing.url, name)
    replicas[victim] = await startReplica(database)
    const places = replicas.map(({ url }) => url)
    for (const [agents, account] of [[own, name], [foreign, others]] as const)
      expect(await Promise.all(agents.flatMap((call) => places.map(call)))).toEqual(Array(4).fill(`${account}@mail.example`))
  }
  const { sent, reused } = await control()
  expect([new Set(sent).size, reused]).toEqual([sent.length, 0])
}, 60_000) // prettier-ignore

/** By then a renewal counts as cut off, whatever it was about. */
async function halfAMinuteLater(database: string): Promise<void> {
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  const { rowCount } = await client.query(
    "update connections set renewing_at = renewing_at - 30001 where state = 'renewing'",
  )
  await client.end()
  expect(rowCount).toBe(1)
}
