/** PgBouncer in transaction mode, Debian's, between two replicas and PostgreSQL. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { openPostgres } from '../../src/runtime/storage/postgres/index.js'
import { freePort, startPostgres, type PostgresServer } from '../runtime/storage/postgres-server.js'
import { effectsOf, failures, invoke, invokeAtOnce, root, successes } from '../races/acts.js'
import { verifyTrail } from '../races/verify-trail.js'
import { createWorld, DEPLOYMENTS, type World } from '../races/world.js'
import { debianProgram, unpackedPackages } from './debian.js'

const folder = mkdtempSync(join(tmpdir(), 'svc-pgbouncer-'))
let server: PostgresServer
let bouncer: ChildProcess | undefined
let port = 0

beforeAll(async () => {
  server = await startPostgres()
  chmodSync(folder, 0o755)
})

afterEach(() => void bouncer?.kill('SIGKILL'))

afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Four connections to PostgreSQL, whatever number of clients there is. */
async function startBouncer(settings: readonly string[] = []): Promise<void> {
  port = await freePort()
  writeFileSync(join(folder, 'users.txt'), '"postgres" ""\n')
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
* = host=127.0.0.1 port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${folder}/users.txt
pool_mode = transaction
default_pool_size = 4
max_client_conn = 500
${settings.join('\n')}
`,
  )
  const libraries = join(unpackedPackages(['libevent-2.1-7', 'libc-ares2']), 'usr/lib/x86_64-linux-gnu')
  const program = debianProgram('pgbouncer', 'pgbouncer', 'usr/sbin')
  bouncer = spawn(program, ['-q', '-u', 'nobody', file], {
    env: { ...process.env, LD_LIBRARY_PATH: libraries },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  bouncer.stderr!.on('data', (chunk) => (said += String(chunk)))
  for (let attempt = 0; attempt < 100; attempt++) {
    if (await answers()) return
    if (bouncer.exitCode !== null) break
    await sleep(50)
  }
  throw new Error(`PgBouncer did not start: ${said}`)
}

const answers = async (): Promise<boolean> => {
  const client = new pg.Client({ connectionString: through('postgres') })
  client.on('error', () => undefined)
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  )
}

const through = (database: string, query = ''): string => `postgresql://postgres@127.0.0.1:${port}/${database}${query}`

/** A database behind PgBouncer, whose role has the settings. */
const pooled: Pick<PostgresServer, 'database'> = {
  database: async (name) => {
    await server.database(name)
    return through(name, '?pgbouncer=true')
  },
}

const refusal = (connectionString: string): Promise<string> =>
  openPostgres({ connectionString, schema: 'migrate' }).then(
    async (storage) => {
      await storage.close()
      return 'opened'
    },
    (error: Error) => error.message,
  )

async function asSuperuser(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: `postgresql://postgres@127.0.0.1:${server.port}/postgres` })
  await client.connect()
  await client.query(sql)
  await client.end()
}

const UNSAID =
  'A pooler such as PgBouncer stands before PostgreSQL and keeps the settings of this service from it. ' +
  'Add ?pgbouncer=true to the address (docs/guides/storage.md).'

it('is refused with a remedy where the address does not say it, whether it refuses the settings of connections or ignores them', async () => {
  await server.database('unsaid')
  await startBouncer()
  expect(await refusal(through('unsaid'))).toBe(UNSAID)
  bouncer!.kill('SIGKILL')
  await once(bouncer!, 'exit')

  await startBouncer(['ignore_startup_parameters = options'])
  expect(await refusal(through('unsaid'))).toBe(UNSAID)
})

it('is refused where the role lacks the settings, with the statements that give them, which suffice', async () => {
  await server.database('bare')
  await startBouncer()
  const said = await refusal(through('bare', '?pgbouncer=true'))
  expect(said.split('\n').sort()).toEqual([
    `  alter role "postgres" set enable_hashjoin = 'off';`,
    `  alter role "postgres" set enable_mergejoin = 'off';`,
    `  alter role "postgres" set enable_seqscan = 'off';`,
    `  alter role "postgres" set idle_in_transaction_session_timeout = '1500';`,
    `  alter role "postgres" set jit = 'off';`,
    `  alter role "postgres" set plan_cache_mode = 'force_generic_plan';`,
    `  alter role "postgres" set statement_timeout = '10000';`,
    'Behind PgBouncer the settings of this service come from its role. Run these once, and reconnect PgBouncer to PostgreSQL (RECONNECT):',
  ])

  await asSuperuser(said.split('\n').slice(1).join('\n'))
  bouncer!.kill('SIGKILL')
  await once(bouncer!, 'exit')
  await startBouncer()
  expect(await refusal(through('bare', '?pgbouncer=true'))).toBe('opened')
})

it('serves two replicas on four connections: nothing twice, no budget exceeded, nothing lost, the trail verified', async () => {
  await startBouncer()
  const world: World = await createWorld(DEPLOYMENTS[1], pooled)
  try {
    const token = await root(world)
    const keyed = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        invoke(
          world,
          n,
          'act',
          token,
          { parameters: { note: `call ${n % 50}` } },
          { 'idempotency-key': `key-${n % 50}` },
        ),
      ),
    )
    expect(new Set(successes(keyed).map(({ body }) => body['invocation_id'])).size).toBe(50)
    expect((await world.effects()).filter((line) => line.startsWith('act '))).toHaveLength(50)

    const spending = await root(world, { budget: { currency: 'EUR', max_amount: 840, mode: 'cumulative' } })
    const charged = await invokeAtOnce(world, 40, 'charge', spending)
    expect(successes(charged)).toHaveLength(3)
    expect(failures(charged)).toEqual({ budget_exceeded: 37 })
    expect(await effectsOf(world, charged)).toBe(3)

    const { sequences } = await verifyTrail(world)
    expect(sequences).toEqual(sequences.map((_, index) => index + 1))
  } finally {
    await world.end()
  }
})
