/**
 * The client of servers behind a service, as a process of its own, from the built package: lists the tools at the
 * address in its arguments, and calls each as an imported capability does. A server that wants a person's consent gets
 * that of a person who agrees at once (`person.js`).
 */
import {
  listUpstreamTools,
  mcpUpstream,
  openMcpChannel,
  upstreamToolDigest,
} from '../../../dist/runtime/upstream/index.js'
import { agreeingPerson } from './person.js'

const { toolCalls, ...known } = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}')
const asksForConsent = process.env['MCP_CONFORMANCE_SCENARIO']?.startsWith('auth/')
const connection = { furtherScopes: ['mcp:write', 'mcp:admin'], clientId: 'CLIENT_ID', clientSecret: 'CLIENT_SECRET' }
const server = { url: process.argv[2], credential: 'NONE', ...(asksForConsent && { connection }) }
const pinned = { name: 'suite', server, tools: {} }
const environment = () => ({ CLIENT_ID: known.client_id, CLIENT_SECRET: known.client_secret })

const within = () => AbortSignal.timeout(20_000)
/** Accepts each form as it is: what has a default gets it. */
const answer = () => ({ action: 'accept', content: {} })
const person = asksForConsent ? agreeingPerson(pinned, environment) : undefined
const account = person && (() => person)
const isRequired = (error) => error?.failure?.type === 'connection_required'
/** Does what an agent does that is told to make a call again. */
async function again(act, tries = 5) {
  try {
    return await act()
  } catch (error) {
    if (!isRequired(error) || tries === 1) throw error
    return again(act, tries - 1)
  }
}

const tools = await again(async () => {
  const channel = openMcpChannel(pinned, {}, () => undefined, { answer, account })
  await channel.begin(within())
  return listUpstreamTools(channel, within()).finally(channel.close)
})

const VALUES = { integer: 1, number: 1, boolean: true, object: {}, array: [] }
const valueOf = ({ type, enum: choices }) => choices?.[0] ?? VALUES[type] ?? 'text'
const argumentsFor = ({ inputSchema: { properties = {} } }) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      // The suite compares what it is sent here with the schema of its first tool.
      name === 'schema' ? tools[0].inputSchema : valueOf(schema),
    ]),
  )

pinned.tools = Object.fromEntries(tools.map((tool) => [tool.name, upstreamToolDigest(tool)]))
const upstream = mcpUpstream(pinned, environment, { answer })
const fail = (type, detail) => {
  throw new Error(`${type}: ${detail}`)
}
const calls = toolCalls ?? tools.map((tool) => ({ name: tool.name, arguments: argumentsFor(tool) }))
for (const { name, arguments: given } of calls)
  await again(() => upstream.call({ tool: name, reads: true }, given, { signal: within(), fail, account })).catch(
    () => undefined,
  )
process.exit(0)
