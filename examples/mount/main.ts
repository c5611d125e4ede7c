/** The shop on node:http. */
import { createServer } from 'node:http'
import { openAgents } from './agents.js'
import { orderOf } from './src/shop.js'

const { PORT = '3000' } = process.env
const agents = await openAgents()

const server = createServer((request, response) =>
  agents.node(request, response, () => {
    const order = orderOf(request.url?.replace('/orders/', '') ?? '')
    response.writeHead(order ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(order ?? {}))
  }),
)
server.listen(Number(PORT), '127.0.0.1', () => console.log(`The shop listens on http://127.0.0.1:${PORT}`))

process.once('SIGTERM', () => {
  server.close()
  void agents.close().then(() => process.exit(0))
})
