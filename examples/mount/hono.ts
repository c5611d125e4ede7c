/** The shop on Hono 4, on Node. On Bun or Deno, `clientAddress` is as in bun.ts and deno.ts. */
import { serve } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { Hono, type Context } from 'hono'
import { openAgents } from './agents.js'
import { orderOf } from './src/shop.js'

const { PORT = '3000' } = process.env
const agents = await openAgents((_, context) => getConnInfo(context as Context).remote.address)

const app = new Hono()
for (const path of ['/agents/*', ...agents.wellKnown])
  app.all(path, (context) => agents.fetch(context.req.raw, context))
app.get('/orders/:id', (context) => {
  const order = orderOf(context.req.param('id'))
  return context.json(order ?? {}, order ? 200 : 404)
})
const server = serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' }, () =>
  console.log(`The shop listens on http://127.0.0.1:${PORT}`),
)

process.once('SIGTERM', () => {
  server.close()
  void agents.close().then(() => process.exit(0))
})
