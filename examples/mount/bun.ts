/** The shop on Bun: `bun run bun.ts`. */
import { openAgents } from './agents.js'
import { orderOf } from './src/shop.js'

const { PORT = '3000' } = process.env
const agents = await openAgents((request) => server.requestIP(request)?.address)

const server = Bun.serve({
  port: Number(PORT),
  hostname: '127.0.0.1',
  idleTimeout: 75, // seconds: a question may wait 25 s, and streams say every 15 s that they are alive
  fetch: (request) => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/agents/') || agents.wellKnown.includes(pathname)) return agents.fetch(request)
    const order = orderOf(pathname.replace('/orders/', ''))
    return Response.json(order ?? {}, { status: order ? 200 : 404 })
  },
})
console.log(`The shop listens on http://127.0.0.1:${PORT}`)

process.once('SIGTERM', () => {
  void server.stop()
  void agents.close().then(() => process.exit(0))
})
