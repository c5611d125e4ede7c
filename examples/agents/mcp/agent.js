/**
 * An agent that speaks MCP: searches, is over its budget, asks for an approval, and goes on after a restart. No model, no network.
 *
 *     node agent.js ask run.json; node agent.js approve; node agent.js resume run.json
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { agentToken, commands, nextCall, summaryOf } from '../travel.js'

const address = new URL('/mcp', process.env.SVC_URL ?? 'http://127.0.0.1:4100')

/** The client sends the token; nothing of it is in an argument. */
async function connected(max_amount) {
  const client = new Client({ name: 'assistant', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  const headers = { Authorization: `Bearer ${await agentToken(max_amount)}` }
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }))
  return client
}

/**
 * Plays the script on from these results. What waits for a person is made again after the approval, as it was; its key makes it
 * one call, however often it is made.
 */
async function run(max_amount, { conversation, results }) {
  const client = await connected(max_amount)
  const played = [...results]
  for (let call = nextCall(played); call !== undefined; call = nextCall(played)) {
    const meta = { 'svc-kit/idempotency_key': `${conversation}:${call.id}` }
    const { structuredContent } = await client.callTool({ name: call.name, arguments: call.input, _meta: meta })
    if (structuredContent.failure?.type === 'approval_required')
      return close(client, { state: JSON.stringify({ conversation, results: played }) })
    played.push(structuredContent)
  }
  return close(client, { text: summaryOf(played) })
}

async function close(client, outcome) {
  await client.close()
  return outcome
}

await commands({
  ask: (max_amount) => run(max_amount, { conversation: crypto.randomUUID(), results: [] }),
  resume: (state) => run(1000, JSON.parse(state)),
})
