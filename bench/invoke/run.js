/**
 * A governed read over HTTP, beside a bare node:http server, in one run: requests per second and CPU time of the server process.
 * BENCH_POSTGRES=postgresql://… measures PostgreSQL, too. Servers take turns, and the best round of each counts, because whatever else
 * runs on the machine only ever makes a round dearer.
 */
import { join } from 'node:path'
import { issued, load, measure, post, start as startServer } from '../servers.js'
import { stages } from './stages.js'

const CONCURRENCY = [1, 16, 64, 256]
/** Requests until the server's code is compiled; before that a request costs several times as much. */
const WARM_UP = 20_000
const BODY = JSON.stringify({ parameters: { city: 'Oslo' }, client_reference_id: 'ref-1' })
const ASKED = { scope: ['travel.search'] }

const get = (path) => [{ method: 'GET', path }]
const start = (argv) => startServer(join(import.meta.dirname, 'service.js'), argv)

const bare = await start(['bare'])
const warm = await start(['service', 'warm'])
const cold = await start(['service', 'cold'])
const token = await issued(warm.url, ASKED)
const coldTokens = await Promise.all(Array.from({ length: 64 }, () => issued(cold.url, ASKED)))
const read = (bearer) => post('/svc/invoke/search', bearer, BODY)
const yardstick = { name: 'bare node:http', server: bare, requests: [post('/', undefined, BODY)] }
const calls = [
  yardstick,
  { name: 'governed read, warm token', aim: 4, server: warm, requests: [read(token)] },
  { name: 'governed read, a cold token each', aim: 8, server: cold, requests: coldTokens.map(read) },
]
if (process.env.BENCH_POSTGRES !== undefined) {
  const postgres = await start(['postgres', 'warm'])
  const requests = [read(await issued(postgres.url, ASKED))]
  calls.push({ name: 'governed read, warm, PostgreSQL', aim: 5, server: postgres, requests })
}
const others = [
  yardstick,
  { name: 'tokens', aim: 6, server: warm, requests: [post('/svc/tokens', 'bench-key', JSON.stringify(ASKED))] },
  { name: 'permissions', aim: 4, server: warm, requests: [post('/svc/permissions', token, '{}')] },
  { name: 'discovery', aim: 1.5, server: warm, requests: get('/.well-known/svc') },
  { name: 'JWKS', aim: 1.5, server: warm, requests: get('/.well-known/jwks.json') },
  { name: 'manifest', aim: 1.5, server: warm, requests: get('/svc/manifest') },
]
for (const { server, requests } of [...calls, ...others])
  await load({ url: server.url, connections: 64, amount: WARM_UP, requests })
const rows = []
for (const connections of CONCURRENCY) rows.push(...(await measure(calls, connections)))
rows.push(...(await measure(others, 64)).slice(1))
for (const { child } of new Set(calls.map(({ server }) => server))) child.send('end')

console.log('CPU µs of the server process per request; SQLite with synchronous=FULL unless PostgreSQL is named')
console.table(rows)

const parts = await stages()
console.log('Parts of a governed read, each measured alone')
console.table(Object.entries(parts).map(([stage, microseconds]) => ({ stage, 'CPU µs': microseconds })))
const [bareCpu, warmCpu] = rows.filter(({ connections }) => connections === 64).map((row) => row['CPU µs'])
const unavoidable =
  bareCpu +
  parts['strict JSON of the body'] +
  parts['token in all, warm, 64 together'] +
  parts['call without HTTP, 64 together']
console.log(`Bare server and parts at 64 connections, warm: ${Math.round(unavoidable)} µs; measured: ${warmCpu} µs`)
