/**
 * What traces cost a governed read over HTTP at 64 connections, in CPU time of the server process: switched off, not sampled, one call in a
 * hundred sampled, and with the SDK's context manager, which costs whoever traces nothing, too.
 */
import { join } from 'node:path'
import { issued, load, measure, post, start } from '../servers.js'

const KINDS = [['off'], ['not sampled'], ['1 in 100'], ['not sampled', 'manager'], ['1 in 100', 'manager']]
const BODY = JSON.stringify({ parameters: { city: 'Oslo' } })

const subjects = []
for (const kind of KINDS) {
  const server = await start(join(import.meta.dirname, 'service.js'), kind)
  const requests = [post('/svc/invoke/search', await issued(server.url, { scope: ['travel.search'] }), BODY)]
  await load({ url: server.url, connections: 64, amount: 8_000, requests })
  subjects.push({ name: kind.join(', '), server, requests })
}
const rows = await measure(subjects, 64)
for (const { server } of subjects) server.child.send('end')
console.log(
  `CPU µs of the server process per request, 64 connections, Node ${process.version}; "times bare" is times off`,
)
console.table(rows)
