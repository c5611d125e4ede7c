/** A server of an official library over stdio, in a revision: the folder of the library is an argument. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [folder, revision] = process.argv.slice(2)
const load = (file) => import(pathToFileURL(join(folder, file)).href)

const TOOLS = { tools: [{ name: 'echo', description: 'Echo.', inputSchema: { type: 'object' } }] }
const answer = ({ params }) => ({ content: [{ type: 'text', text: JSON.stringify(params.arguments) }] })
const identity = { name: 'peer', version: '1' }
const abilities = { capabilities: { tools: { listChanged: true } } }

if (existsSync(join(folder, 'dist/esm'))) {
  const { Server } = await load('dist/esm/server/index.js')
  const { StdioServerTransport } = await load('dist/esm/server/stdio.js')
  const { CallToolRequestSchema, InitializeRequestSchema, ListToolsRequestSchema } = await load('dist/esm/types.js') // prettier-ignore
  const server = new Server(identity, abilities)
  server.setRequestHandler(ListToolsRequestSchema, () => TOOLS)
  server.setRequestHandler(CallToolRequestSchema, answer)
  // As the versions of the library did whose newest revision it was.
  if (revision !== undefined)
    server.setRequestHandler(InitializeRequestSchema, () => ({ protocolVersion: revision, serverInfo: identity, ...abilities })) // prettier-ignore
  await server.connect(new StdioServerTransport())
} else {
  const { Server } = await load('dist/index.mjs')
  const { serveStdio } = await load('dist/stdio.mjs')
  const made = () => {
    const server = new Server(identity, abilities)
    server.setRequestHandler('tools/list', () => TOOLS)
    server.setRequestHandler('tools/call', answer)
    return server
  }
  serveStdio(made, { legacy: revision === '2026-07-28' ? 'reject' : 'serve' })
}
