/**
 * What an adapter adds to a call: CPU time of the same call by the client alone, and as a tool of each framework, over a service that
 * answers from memory. They take turns, and the best round of each counts.
 */
import { tool as langChainToolOf } from '@langchain/core/tools'
import { RunContext, tool as openAiToolOf } from '@openai/agents'
import { connect } from '../dist/client/index.js'
import * as aiSdk from '../dist/adapters/ai-sdk.js'
import * as langChain from '../dist/adapters/langchain.js'
import * as openAi from '../dist/adapters/openai-agents.js'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 15)
const CALLS = 1000
const INPUT = { city: 'Oslo' }
const INPUT_TEXT = JSON.stringify(INPUT)

const TOOL = {
  name: 'search',
  title: 'Search',
  description: 'Search. Changes nothing.',
  capability: 'search',
  contract_version: '1.0.0',
  input_schema: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
  output_schema: { type: 'object', properties: { offers: { type: 'array' } }, required: ['offers'] },
  effect: 'read',
  approval: 'never',
  minimum_scope: ['travel.search'],
  financial: false,
}

const PERMISSIONS = JSON.stringify({ available: [{ capability: 'search' }], restricted: [], denied: [] })
const ENVELOPE = JSON.stringify({ success: true, invocation_id: 'inv-000000000001', result: { offers: ['hotel'] } })
const fetch = async (url) => new Response(url.endsWith('/svc/permissions') ? PERMISSIONS : ENVELOPE)

const client = connect({ baseUrl: 'http://127.0.0.1', fetch }, { search: { capability: 'search', effect: 'read' } })
const [openAiTool] = await openAi.serviceTools(client, [TOOL])
const [langChainTool] = await langChain.serviceTools(client, [TOOL])
const { tools } = await aiSdk.serviceTools(client, [TOOL])
const context = new RunContext()

/** What a user would write by hand, without a key and without failures as results. */
const byHand = async (input) => JSON.stringify((await client.invoke('search', input)).result)
const { name, description, input_schema: schema } = TOOL
const openAiByHand = openAiToolOf({ name, description, parameters: schema, strict: false, execute: byHand })
const langChainByHand = langChainToolOf(byHand, { name, description, schema })

let last = 0
const id = () => `call_${++last}`

const langChainCall = () => ({ type: 'tool_call', id: id(), name, args: INPUT })

/** Each with what it is compared to: the same framework around a function that calls the client. */
const WAYS = {
  client: () => byHand(INPUT),
  'AI SDK': async () => {
    const output = await tools.search.execute(INPUT, { toolCallId: id(), messages: [] })
    return tools.search.toModelOutput({ output })
  },
  'OpenAI Agents by hand': () => openAiByHand.invoke(context, INPUT_TEXT, { toolCall: { callId: id() } }),
  'OpenAI Agents': () => openAiTool.invoke(context, INPUT_TEXT, { toolCall: { callId: id() } }),
  'LangChain by hand': () => langChainByHand.invoke(langChainCall()),
  LangChain: () => langChainTool.invoke(langChainCall()),
}

async function microsecondsOf(call) {
  const before = process.cpuUsage()
  for (let left = CALLS; left > 0; left--) await call()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / CALLS
}

const best = Object.fromEntries(Object.keys(WAYS).map((name) => [name, Infinity]))
for (let round = 0; round <= ROUNDS; round++) {
  for (const [name, call] of Object.entries(WAYS)) {
    const microseconds = await microsecondsOf(call)
    if (round > 0) best[name] = Math.min(best[name], microseconds)
  }
}

const COMPARED = { 'AI SDK': 'client', 'OpenAI Agents': 'OpenAI Agents by hand', LangChain: 'LangChain by hand' }
console.log(`adapters: best of ${ROUNDS} rounds of ${CALLS} calls, CPU µs a call`)
for (const [way, microseconds] of Object.entries(best)) {
  const other = COMPARED[way]
  const added = other === undefined ? '' : `adds ${((microseconds - best[other]) / 1000).toFixed(3)} ms`
  console.log(`${way.padEnd(22)} ${microseconds.toFixed(0).padStart(5)}   ${added}`)
}
