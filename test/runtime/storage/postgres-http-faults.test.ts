import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from 'vitest'
import pg from 'pg'
import type { Storage } from '../../../src/runtime/storage/contract.js'
import { openPostgres } from '../../../src/runtime/storage/postgres/index.js'
import { startCommitProxy, type CommitProxy } from './commit-proxy.js'
import { failsAfterAnEffect, failsBeforeAnyEffect, type Fault } from './fault-scenarios.js'
import { startPostgres, type PostgresServer } from './postgres-server.js'

describe('a service on PostgreSQL', () => {
  let server: PostgresServer
  let storage: Storage
  let proxy: CommitProxy
  let url = ''
  let made = 0
  beforeAll(async () => {
    server = await startPostgres(['fsync=off'])
  }, 60_000)
  afterAll(() => server.stop())
  beforeEach(async () => {
    url = await server.database(`faults_${++made}`)
    proxy = await startCommitProxy(server.port)
    const connectionString = `${url.replace(`:${server.port}/`, `:${proxy.port}/`)}?statement_timeout=400`
    storage = await openPostgres({ connectionString, schema: 'migrate' })
  })
  afterEach(async () => {
    await storage.close()
    proxy.close()
  })

  const administer = async (...statements: readonly string[]): Promise<void> => {
    const client = new pg.Client({ connectionString: url, options: '-c default_transaction_read_only=off' })
    await client.connect()
    for (const sql of statements) await client.query(sql)
    await client.end()
  }
  const name = (): string => url.slice(url.lastIndexOf('/') + 1)
  const dropOthers = (): string =>
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name()}' and pid <> pg_backend_pid()`

  const gone = (): Fault => ({ isTotal: true, begin: server.crash, end: server.resume })
  const readOnly = (): Fault => ({
    isTotal: true,
    begin: () => administer(`alter database ${name()} set default_transaction_read_only = on`, dropOthers()),
    end: () => administer(`alter database ${name()} reset default_transaction_read_only`, dropOthers()),
  })
  /** Another session holds the tables: statements end when their time is up. */
  const slow = (): Fault => {
    const client = new pg.Client({ connectionString: url })
    return {
      isTotal: true,
      begin: async () => {
        await client.connect()
        await client.query('begin')
        await client.query('lock table audit_head, intents, idempotency, readiness in access exclusive mode')
      },
      end: () => client.end(),
    }
  }
  /** The server says what it says when its disk is full (53100), at once or at the commit. */
  const full = (when: 'at once' | 'at the commit') => (): Fault => ({
    isTotal: true,
    begin: () =>
      administer(
        `create function full_disk() returns trigger language plpgsql as
          $$ begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`,
        ...['audit_entries', 'intents', 'idempotency', 'readiness'].map((table) =>
          when === 'at once'
            ? `create trigger full_disk before insert or update on ${table} for each row execute function full_disk()`
            : `create constraint trigger full_disk after insert or update on ${table}
                deferrable initially deferred for each row execute function full_disk()`,
        ),
      ),
    end: () => administer('drop function full_disk cascade'),
  })

  /** Every connection is reset in the middle of its commit; nobody can tell whether it was done. */
  const reset = (when: 'before' | 'after') => (): Fault => ({
    isTotal: false,
    begin: () => proxy.reset(when),
    end: () => proxy.reset(undefined),
  })

  describe.each([
    ['gone', gone],
    ['reset before a commit arrives', reset('before')],
    ['reset after a commit was done', reset('after')],
    ['read-only', readOnly],
    ['slow', slow],
    ['full', full('at once')],
    ['full when it commits', full('at the commit')],
  ] as const)('that is %s', (_, faultOf) => {
    it(
      'does nothing, says that it may be tried again, and goes on without a restart',
      () => failsBeforeAnyEffect(storage, faultOf()),
      60_000,
    )

    it(
      'after an effect: tells no success, repeats nothing, and records it without a restart',
      () => failsAfterAnEffect(storage, faultOf()),
      60_000,
    )
  })
})
