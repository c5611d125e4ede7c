/** Servers in processes of their own, under load, and what a request costs them in CPU time. */
import { fork } from 'node:child_process'
import autocannon from 'autocannon'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 2)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const JSON_BODY = { 'content-type': 'application/json' }

export const post = (path, bearer, body) => ({
  method: 'POST',
  path,
  headers: { ...JSON_BODY, ...(bearer && { authorization: `Bearer ${bearer}` }) },
  body,
})

const ask = (child, question) =>
  new Promise((resolve) => {
    child.once('message', resolve)
    if (question !== undefined) child.send(question)
  })

/** A server in a process of its own, which sends its address, and its CPU time when it is asked. */
export async function start(file, argv) {
  const child = fork(file, argv, { execArgv: (process.env.BENCH_NODE ?? '').split(' ').filter(Boolean) })
  return { child, url: await ask(child) }
}

export async function issued(url, request) {
  const { headers, body } = post('/svc/tokens', 'bench-key', JSON.stringify(request))
  const response = await fetch(`${url}/svc/tokens`, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()).token
}

/** Connections begin at different requests: else all would send the same token at the same time. */
export function load(options) {
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

/** Every subject in turn, so that a busy machine meets all alike; the first is the yardstick. The best round of each counts. */
export async function measure(subjects, connections) {
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
