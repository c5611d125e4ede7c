/**
 * One replica of the service that the races run against, as a process of its own, from the built package. Its effects are lines
 * of a file that is opened with O_APPEND and synced: what counts is what stands there, whatever the process remembers.
 */
import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { webhook } from '../../dist/runtime/events/notify.js'
import { createService, inputValue, outputFields } from '../../dist/runtime/index.js'
import { readKeyRing, serve } from '../../dist/runtime/node.js'

const {
  keys,
  signer,
  stateDir,
  storage,
  effects,
  faultPoint,
  limits,
  statementFault,
  notify,
  requestTtl = 'PT60S',
  logs = false,
} = JSON.parse(process.argv[2])

const capability = (differences) => ({
  description: 'Does something.',
  contract_version: '1.0.0',
  inputs: [],
  output: { type: 'object', fields: [] },
  side_effect: { type: 'write' },
  minimum_scope: ['act'],
  kind: 'atomic',
  response_modes: ['unary'],
  ...differences,
})

const input = (name, type) => ({ name, type, required: false })
const costs = (amount) => ({ certainty: 'fixed', financial: { currency: 'EUR', amount } })
const approval = (differences) => ({
  required: 'always',
  grant_policy: {
    allowed_grant_types: ['one_time', 'session_bound'],
    default_grant_type: 'one_time',
    expires_in_seconds: 900,
    max_uses: 48,
    ...differences,
  },
})

const capabilities = {
  look: capability({ side_effect: { type: 'read' } }),
  act: capability({ inputs: [input('note', 'string')] }),
  forget: capability({ side_effect: { type: 'read' }, observability: { logged: true, retention: 'PT1S' } }),
  charge: capability({ cost: costs(280) }),
  tick: capability({
    cost: costs(1),
    inputs: [input('outcome', 'string')],
    extensions: { 'x-failures': { out_of_stock: 'There is none left.' } },
  }),
  slow: capability({ inputs: [input('ms', 'integer')] }),
  reserve: capability({
    inputs: [input('warehouse', 'string'), input('ms', 'integer')],
    extensions: { 'x-exclusive-by': ['warehouse'] },
  }),
  refund: capability({
    side_effect: { type: 'irreversible' },
    inputs: [input('note', 'string')],
    approval: approval({}),
  }),
}

const manifest = {
  manifest_metadata: { version: '0.24.0' },
  service_identity: { id: 'races' },
  trust: { level: 'anchored', anchoring: { cadence: 'PT1S' } },
  limits: { max_delegation_depth: 3, default_ttl_hours: 2, max_ttl_hours: 24 },
  approvals: { request_ttl: requestTtl, denial_holds: 'PT10M', allow_agents: false, separation_of_duties: true },
  capabilities,
}

function write(line) {
  const file = openSync(effects, 'a')
  writeSync(file, `${line}\n`)
  fsyncSync(file)
  closeSync(file)
}

/** Keeps more and more, until the process has no memory left and ends: nothing can catch that. */
let served = 0
function hoardAt(point) {
  if (faultPoint !== point || ++served < 25) return
  const kept = []
  for (;;) kept.push(Array.from({ length: 10_000 }, (_, n) => `${n}`))
}

const effect = (word) => (given, ctx) => {
  const startedAt = Date.now()
  if (logs) ctx.log.info('A call has begun.')
  if (faultPoint === 'before effect') process.kill(process.pid, 'SIGKILL')
  hoardAt('memory before effect')
  write(`${word} ${ctx.invocation.invocation_id} ${given?.note ?? '-'} ${startedAt}`)
  hoardAt('memory after effect')
  if (faultPoint === 'after effect') process.kill(process.pid, 'SIGKILL')
  return {}
}

async function during({ ms }, ctx) {
  write(`start ${ctx.invocation.invocation_id} ${Date.now()}`)
  await sleep(ms ?? 80)
  write(`end ${ctx.invocation.invocation_id} ${Date.now()}`)
  return {}
}

const handlers = {
  look: () => ({}),
  forget: () => ({}),
  act: effect('act'),
  charge: effect('charge'),
  refund: effect('refund'),
  tick: async ({ outcome }, ctx) => {
    if (outcome === 'fail') return ctx.fail('out_of_stock', 'There is none left.')
    if (outcome === 'hang') return sleep(60_000, undefined, { signal: ctx.signal })
    return effect('tick')(undefined, ctx)
  },
  slow: during,
  reserve: during,
}

const validators = Object.fromEntries(
  Object.entries(capabilities).map(([name, { inputs }]) => [
    name,
    { input: Object.fromEntries(inputs.map((each) => [each.name, inputValue(each.type)])), output: outputFields({}) },
  ]),
)

const apiKey = (key, rest) => ({ id: key, sha256: createHash('sha256').update(key).digest('hex'), ...rest })

/** SQLite whose n-th statement fails, or ends the process, before or after its work; under what else is the same as ever. */
async function openFaulty({ file }, { at, when, how }) {
  const room = '../../dist/runtime/storage'
  const [{ openSqlite }, { openLibsql }, { openConnection }, { sqliteEngine }, { storageOver }] = await Promise.all(
    ['sqlite/index', 'sqlite/libsql', 'sqlite/connection', 'sqlite/engine', 'sql/storage'].map(
      (name) => import(`${room}/${name}.js`),
    ),
  )
  await (await openSqlite({ file })).close()
  let count = 0
  const failing = (work) => {
    const isDue = ++count === at + STATEMENTS_OF_THE_START
    if (isDue && when === 'before') fail(how)
    const value = work()
    if (isDue && when === 'after') fail(how)
    return value
  }
  const driver = openLibsql(file)
  const prepare = (sql) => {
    const statement = driver.prepare(sql)
    return {
      all: (values) => failing(() => statement.all(values)),
      first: (values) => failing(() => statement.first(values)),
      run: (values) => failing(() => statement.run(values)),
    }
  }
  return storageOver(sqliteEngine(openConnection({ ...driver, prepare }, Date.now)))
}

const STATEMENTS_OF_THE_START = 5

function fail(how) {
  if (how === 'kill') process.kill(process.pid, 'SIGKILL')
  throw new Error('disk I/O error')
}

async function openStorage() {
  if (statementFault !== undefined) return openFaulty(storage, statementFault)
  if (storage.file !== undefined)
    return (await import('../../dist/runtime/storage/sqlite/index.js')).openSqlite(storage)
  const { openPostgres } = await import('../../dist/runtime/storage/postgres/index.js')
  return openPostgres({ connectionString: storage.url, schema: 'migrate' })
}

/** Loaded where it is asked for: this file also starts versions from before there were signers. */
const keysOf = async (address) =>
  (await import('../../dist/runtime/node.js')).readSignerKeys(address, { secret: process.env['SVC_SIGNER_SECRET'] })

const service = await createService({
  definition: { manifest, validators },
  implementation: { handlers },
  storage: await openStorage(),
  keys: await (signer === undefined ? readKeyRing(keys) : keysOf(signer)),
  reloadKeys: signer === undefined ? () => readKeyRing(keys) : undefined,
  stateDir,
  apiKeys: [
    apiKey('ana-key', { principal: 'human:ana' }),
    apiKey('op-key', { principal: 'human:op', roles: ['operator'] }),
    apiKey('bob-key', { principal: 'human:bob', scopes: ['approver:refund', 'act'] }),
  ],
  notify: notify && [webhook(notify)],
  limits: {
    invocationsPerMinute: 1e9,
    tokensPerMinute: 1e9,
    refusalsPerMinute: 1e9,
    approvalRequestsPerMinute: 1e9,
    ...limits,
  },
})
const running = await serve(service, { port: 0 })
const { user, system } = process.cpuUsage()
process.stdout.write(`${running.url} ${Math.round((user + system) / 1000)}\n`)
