/**
 * A governed read over HTTP, beside a bare node:http server, in one run: requests per second and CPU time of the server process.
 * BENCH_POSTGRES=postgresql://… measures PostgreSQL, too. Servers take turns, and the best round of each counts, because whatever else
 * runs on the machine only ever makes a round dearer.
 */
import { fork } from 'node:child_process'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { stages } from './stages.js'

const CONCURRENCY = [1, 16, 64, 256]
const SECONDS = Number(process.env.BENCH_SECONDS ?? 2)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
/** Requests until the server's code is compiled; before that a request costs several times as much. */
const WARM_UP = 20_000
const BODY = JSON.stringify({ parameters: { city: 'Oslo' }, client_reference_id: 'ref-1' })
const SCOPE = '{"scope":["travel.search"]}'
const JSON_BODY = { 'content-type': 'application/json' }

const post = (path, bearer, body) => ({
  method: 'POST',
  path,
  headers: { ...JSON_BODY, ...(bearer && { authorization: `Bearer ${bearer}` }) },
  body,
})
const get = (path) => [{ method: 'GET', path }]

const ask = (child, question) =>
  new Promise((resolve) => {
    child.once('message', resolve)
    if (question !== undefined) child.send(question)
  })

const issued = (url, count) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const { headers, body } = post('/svc/tokens', 'bench-key', SCOPE)
      const response = await fetch(`${url}/svc/tokens`, { method: 'POST', headers, body })
      return (await response.json()).token
    }),
  )

async function start(argv) {
  const child = fork(join(import.meta.dirname, 'service.js'), argv)
  return { child, url: await ask(child) }
}

/** Connections begin at different requests: else all would send the same token at the same time. */
function load(options) {
  const { requests } = options
  let at = 0
  const setupClient = (client) => {
    client.setRequests([...requests.slice(at), ...requests.slice(0, at)])
    at = (at + 1) % requests.length
  }
  return autocannon({ ...options, setupClient })
}

async function round({ child, url }, requests, connections) {
  const before = await ask(child, 'cpu')
  const result = await load({ url, connections, duration: SECONDS, requests })
  const after = await ask(child, 'cpu')
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refusals, ${result.errors} errors`)
  const cpu = (after.user - before.user + after.system - before.system) / result['2xx']
  return { cpu, perSecond: result['2xx'] / result.duration, p99: result.latency.p99 }
}

/** Every subject in turn, so that a busy machine meets all alike. */
async function measure(subjects, connections) {
  const rounds = subjects.map(() => [])
  for (let index = 0; index < ROUNDS; index++)
    for (const [at, { server, requests }] of subjects.entries())
      rounds[at].push(await round(server, requests, connections))
  const best = rounds.map((each) => ({
    cpu: Math.min(...each.map(({ cpu }) => cpu)),
    perSecond: Math.max(...each.map(({ perSecond }) => perSecond)),
    p99: Math.min(...each.map(({ p99 }) => p99)),
  }))
  const bare = best[0].cpu
  return subjects.map(({ name, aim }, at) => {
    const { cpu, perSecond, p99 } = best[at]
    return {
      server: name, connections, 'requests/s': Math.round(perSecond), 'CPU µs': Math.round(cpu),
      'times bare': Number((cpu / bare).toFixed(1)), aim, 'p99 ms': p99,
    } // prettier-ignore
  })
}

const bare = await start(['bare'])
const warm = await start(['service', 'warm'])
const cold = await start(['service', 'cold'])
const [token] = await issued(warm.url, 1)
const read = (bearer) => post('/svc/invoke/search', bearer, BODY)
const yardstick = { name: 'bare node:http', server: bare, requests: [post('/', undefined, BODY)] }
const calls = [
  yardstick,
  { name: 'governed read, warm token', aim: 4, server: warm, requests: [read(token)] },
  { name: 'governed read, a cold token each', aim: 8, server: cold, requests: (await issued(cold.url, 64)).map(read) },
]
if (process.env.BENCH_POSTGRES !== undefined) {
  const postgres = await start(['postgres', 'warm'])
  const requests = [read((await issued(postgres.url, 1))[0])]
  calls.push({ name: 'governed read, warm, PostgreSQL', aim: 5, server: postgres, requests })
}
const others = [
  yardstick,
  { name: 'tokens', aim: 6, server: warm, requests: [post('/svc/tokens', 'bench-key', SCOPE)] },
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
