/**
 * The kinds of calls of a business over HTTP at 64 connections, beside a bare node:http server, in one run: CPU time of the server process
 * for each request. BENCH_POSTGRES=postgresql://… measures PostgreSQL, too; BENCH_ONLY=pay,tour measures these kinds alone.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { issued, load, measure, post, start } from '../servers.js'

const CONNECTIONS = 64
/** Requests until the server's code is compiled; before that a request costs several times as much. */
const WARM_UP = Number(process.env.BENCH_WARM_UP ?? 8_000)
const ROOT = { scope: ['travel.search', 'travel.book'] }
const BODY = { parameters: { city: 'Oslo' }, client_reference_id: 'ref-1' }
const budget = { currency: 'EUR', max_amount: 1000 }

const call = (name) => (bearer) => post(`/svc/invoke/${name}`, bearer, JSON.stringify(BODY))
/** Each request with a key of its own. */
const keyed = (bearer) => ({
  ...call('note')(bearer),
  setupRequest: (request) => ({ ...request, headers: { ...request.headers, 'idempotency-key': randomUUID() } }),
})
const pool = { ...budget, max_amount: 1e9, mode: 'cumulative' }

/** A kind of call: what is asked for its token, the request, and the aims in times bare on SQLite and on PostgreSQL. */
const KINDS = [
  { kind: 'read', request: call('search'), sqlite: 3.5, postgres: 4 },
  { kind: 'write', request: call('note'), sqlite: 4.5, postgres: 7 },
  { kind: 'keyed write', request: keyed, sqlite: 6, postgres: 10 },
  { kind: 'payment', asked: { ...ROOT, budget }, request: call('pay'), sqlite: 5, postgres: 7 },
  { kind: 'payment of one pool', asked: { ...ROOT, budget: pool }, request: call('pay') },
  { kind: 'tour of three reads', request: call('tour'), sqlite: 8, postgres: 8 },
  { kind: 'token', request: () => post('/svc/tokens', 'bench-key', JSON.stringify(ROOT)), sqlite: 5.5, postgres: 5.5 },
]

const chosen = process.env.BENCH_ONLY?.split(',')
const bare = await start(join(import.meta.dirname, '../invoke/service.js'), ['bare'])
const stores = process.env.BENCH_POSTGRES === undefined ? ['sqlite'] : ['sqlite', 'postgres']
const rows = []
const servers = [bare]
for (const store of stores) {
  const server = await start(join(import.meta.dirname, 'service.js'), [store])
  servers.push(server)
  const subjects = [{ name: 'bare node:http', server: bare, requests: [call('search')()] }]
  for (const { kind, asked = ROOT, request, ...aims } of KINDS)
    if (chosen?.some((name) => kind.startsWith(name)) ?? true)
      subjects.push({
        name: `${kind}, ${store}`,
        aim: aims[store],
        server,
        requests: [request(await issued(server.url, asked))],
      })
  for (const { server: { url }, requests } of subjects) await load({ url, connections: CONNECTIONS, amount: WARM_UP, requests }) // prettier-ignore
  rows.push(...(await measure(subjects, CONNECTIONS)))
}
for (const { child } of servers) child.send('end')

console.log('CPU µs of the server process per request, 64 connections; SQLite with synchronous=FULL')
console.table(rows)
