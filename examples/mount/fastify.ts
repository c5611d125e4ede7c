/** The shop on Fastify 5. */
import Fastify from 'fastify'
import { openAgents } from './agents.js'
import { orderOf } from './src/shop.js'

const { PORT = '3000' } = process.env
const agents = await openAgents()

const app = Fastify()
// Before Fastify reads bodies; `done` goes on to the routes of the shop.
app.addHook('onRequest', (request, reply, done) => agents.node(request.raw, reply.raw, () => done()))
app.get<{ Params: { id: string } }>('/orders/:id', (request, reply) => {
  const order = orderOf(request.params.id)
  return reply.code(order ? 200 : 404).send(order ?? {})
})
app.addHook('preClose', agents.close)
await app.listen({ port: Number(PORT), host: '127.0.0.1' })
console.log(`The shop listens on http://127.0.0.1:${PORT}`)

process.once('SIGTERM', () => void app.close().then(() => process.exit(0)))
