/** The shop on Deno: `deno run --unstable-sloppy-imports -A deno.ts`. */
import { openAgents } from './agents.js'
import { orderOf } from './src/shop.js'

const { PORT = '3000' } = process.env
const agents = await openAgents((_, info) => (info as Deno.ServeHandlerInfo<Deno.NetAddr>).remoteAddr.hostname)

const server = Deno.serve(
  {
    port: Number(PORT),
    hostname: '127.0.0.1',
    onListen: () => console.log(`The shop listens on http://127.0.0.1:${PORT}`),
  },
  (request, info) => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/agents/') || agents.wellKnown.includes(pathname)) return agents.fetch(request, info)
    const order = orderOf(pathname.replace('/orders/', ''))
    return Response.json(order ?? {}, { status: order ? 200 : 404 })
  },
)

process.once('SIGTERM', () => {
  void server.shutdown()
  void agents.close().then(() => process.exit(0))
})
