/** A governed read over HTTP, beside a bare node:http server, in one run: requests per second and CPU time of the server. */
import { fork } from 'node:child_process'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { stages } from './stages.js'

const CONCURRENCY = [1, 16, 64, 256]
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3)
/** Requests until the server's code is compiled; before that a request costs several times as much. */
const WARM_UP = 20_000
const BODY = JSON.stringify({ parameters: { city: 'Oslo' }, client_reference_id: 'ref-1' })

const ask = (child, question) =>
  new Promise((resolve) => {
    child.once('message', resolve)
    if (question !== undefined) child.send(question)
  })

async function tokens(url, count) {
  const issue = () =>
    fetch(`${url}/svc/tokens`, {
      method: 'POST',
      headers: { authorization: 'Bearer bench-key', 'content-type': 'application/json' },
      body: '{"scope":["travel.search"]}',
    }).then((response) => response.json())
  return Promise.all(Array.from({ length: count }, issue))
}

async function measure(child, url, requests, connections) {
  const before = await ask(child, 'cpu')
  const result = await autocannon({ url, connections, duration: SECONDS, requests })
  const after = await ask(child, 'cpu')
  const cpu = after.user - before.user + after.system - before.system
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refusals, ${result.errors} errors`)
  return {
    perSecond: Math.round(result['2xx'] / result.duration),
    cpu: Math.round(cpu / result['2xx']),
    p50: result.latency.p50,
    p99: result.latency.p99,
  }
}

/** Server kind -> how it is asked. */
const SERVERS = {
  'bare node:http': {
    argv: ['bare'],
    requests: () => [{ method: 'POST', path: '/', headers: { 'content-type': 'application/json' }, body: BODY }],
  },
  'governed read, warm token': { argv: ['service', 'warm'], count: 1 },
  'governed read, cold tokens': { argv: ['service', 'cold'], count: 64 },
}

const rows = []
for (const [name, { argv, count, requests }] of Object.entries(SERVERS)) {
  const child = fork(join(import.meta.dirname, 'service.js'), argv)
  const url = await ask(child)
  const path = '/svc/invoke/search'
  const asked =
    requests?.() ??
    (await tokens(url, count)).map(({ token }) => ({
      method: 'POST',
      path,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: BODY,
    }))
  await autocannon({ url, connections: 64, amount: WARM_UP, requests: asked })
  for (const connections of CONCURRENCY)
    rows.push({ server: name, connections, ...(await measure(child, url, asked, connections)) })
  child.send('end')
}

const bare = (connections) => rows.find((row) => row.server === 'bare node:http' && row.connections === connections).cpu
console.log('A governed read: durable audit on SQLite; CPU µs of the server process per request')
console.table(
  rows.map(({ server, connections, perSecond, cpu, p50, p99 }) => ({
    server, connections, 'requests/s': perSecond, 'CPU µs': cpu, 'times bare': Number((cpu / bare(connections)).toFixed(1)), 'p50 ms': p50, 'p99 ms': p99,
  })),
) // prettier-ignore

const parts = await stages()
console.log('Its parts, each measured alone')
console.table(Object.entries(parts).map(([stage, microseconds]) => ({ stage, 'CPU µs': microseconds })))
const unavoidable =
  bare(64) + parts['strict JSON of the body'] + parts['token in all, warm'] + parts['call without HTTP, 64 together']
console.log(
  `Sum of the unavoidable parts at 64 connections, warm: ${Math.round(unavoidable)} µs; measured: ${rows.find((row) => row.server.includes('warm') && row.connections === 64).cpu} µs`,
)
