/**
 * A governed read over MCP (HTTP, both eras) and over stdio, beside the same read over HTTP, in one run: CPU time of the server process
 * for each call. Servers take turns, and the best round of each counts.
 */
import { fork } from 'node:child_process'
import { join } from 'node:path'
import autocannon from 'autocannon'

const CALLS_AT_A_TIME = 64
const SECONDS = Number(process.env.BENCH_SECONDS ?? 2)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const WARM_UP = 10_000
const MODERN = '2026-07-28'
const PARAMETERS = { city: 'Oslo' }

const ask = (child, question) =>
  new Promise((resolve) => {
    child.once('message', resolve)
    if (question !== undefined) child.send(question)
  })

async function start(kind) {
  const child = fork(join(import.meta.dirname, '../invoke/service.js'), [kind, 'warm'], { silent: kind === 'stdio' })
  return { child, url: await ask(child) }
}

const post = (path, bearer, body, headers = {}) => ({
  method: 'POST',
  path,
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${bearer}`,
    ...headers,
  },
  body: JSON.stringify(body),
})

const envelope = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

const toolCall = (params) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'search', arguments: PARAMETERS, ...params },
})

async function tokenOf(url) {
  const { headers, body, method } = post('/svc/tokens', 'bench-key', { scope: ['travel.search'] })
  return (await (await fetch(`${url}/svc/tokens`, { method, headers, body })).json()).token
}

/** Requests over HTTP, for a while or until there were so many. */
const overHttp = (url, request) => async (until) => {
  const result = await autocannon({ url, connections: CALLS_AT_A_TIME, requests: [request], ...until })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refusals, ${result.errors} errors`)
  return result['2xx']
}

/** Lines over stdio: as many calls as there would be connections, each followed by the next. */
const overStdio =
  (child, call) =>
  ({ duration, amount = Infinity }) =>
    new Promise((resolve) => {
      const end = duration === undefined ? Infinity : performance.now() + duration * 1000
      let [sent, answered, rest] = [0, 0, '']
      const more = () => {
        if (sent < amount && performance.now() < end) child.stdin.write(call(++sent))
        else if (answered === sent) {
          child.stdout.off('data', take)
          resolve(answered)
        }
      }
      const take = (chunk) => {
        const lines = (rest + chunk).split('\n')
        rest = lines.pop()
        for (const line of lines) {
          if (!line.includes('"success":true')) throw new Error(line)
          answered += 1
          more()
        }
      }
      child.stdout.setEncoding('utf8').on('data', take)
      for (let n = 0; n < CALLS_AT_A_TIME; n++) more()
    })

async function stdioToken(child) {
  const answer = new Promise((resolve) => child.stdout.setEncoding('utf8').once('data', resolve))
  child.stdin.write(
    `${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'svc.tokens.issue', params: { scope: ['travel.search'], auth: { bearer: 'bench-key' } } })}\n`,
  )
  return JSON.parse(await answer).result.token
}

const http = await start('mcp')
const stdio = await start('stdio')
const token = await tokenOf(http.url)
const lineToken = await stdioToken(stdio.child)
const line = (id) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method: 'svc.invoke', params: { capability: 'search', parameters: PARAMETERS, auth: { bearer: lineToken } } })}\n`
const modernHeaders = { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': 'search' }
const subjects = [
  {
    name: 'HTTP',
    server: http,
    run: overHttp(http.url, post('/svc/invoke/search', token, { parameters: PARAMETERS })),
  },
  { name: 'stdio', aim: 1.2, server: stdio, run: overStdio(stdio.child, line) },
  {
    name: 'MCP, modern',
    aim: 2.5,
    server: http,
    run: overHttp(http.url, post('/mcp', token, toolCall({ _meta: envelope }), modernHeaders)),
  },
  {
    name: 'MCP, legacy',
    server: http,
    run: overHttp(http.url, post('/mcp', token, toolCall({}), { 'mcp-protocol-version': '2025-06-18' })),
  },
]
for (const { run } of subjects) await run({ amount: WARM_UP })
const rounds = subjects.map(() => [])
for (let index = 0; index < ROUNDS; index++)
  for (const [at, { server, run }] of subjects.entries()) {
    const before = await ask(server.child, 'cpu')
    const calls = await run({ duration: SECONDS })
    const after = await ask(server.child, 'cpu')
    rounds[at].push((after.user - before.user + after.system - before.system) / calls)
  }
for (const { child } of [http, stdio]) child.send('end')
const [base] = rounds.map((each) => Math.min(...each))
console.log(`CPU µs of the server process per governed read, ${CALLS_AT_A_TIME} calls at a time`)
console.table(
  subjects.map(({ name, aim }, at) => {
    const cpu = Math.min(...rounds[at])
    return { surface: name, 'CPU µs': Math.round(cpu), 'times HTTP': Number((cpu / base).toFixed(2)), aim }
  }),
)
