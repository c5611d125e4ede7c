/** The shop on Express 5. */
import express from 'express'
import { openAgents } from './agents.js'
import { orderOf } from './src/shop.js'

const { PORT = '3000' } = process.env
const agents = await openAgents()

const app = express()
app.use(agents.node) // before express.json(), which would read the bodies
app.use(express.json())
app.get('/orders/:id', (request, response) => {
  const order = orderOf(request.params.id)
  response.status(order ? 200 : 404).json(order ?? {})
})
const server = app.listen(Number(PORT), '127.0.0.1', () => console.log(`The shop listens on http://127.0.0.1:${PORT}`))

process.once('SIGTERM', () => {
  server.close()
  void agents.close().then(() => process.exit(0))
})
