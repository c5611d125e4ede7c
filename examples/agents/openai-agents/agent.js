/**
 * An agent of the OpenAI Agents SDK: searches, is over its budget, asks for an approval, and goes on after a restart. No model, no network.
 *
 *     node agent.js ask run.json; node agent.js approve; node agent.js resume run.json
 */
import { Agent, Runner, RunState, Usage } from '@openai/agents'
import { serviceTools } from 'svc-kit/openai-agents'
import { tools } from 'travel-client/tools'
import { agentClient, commands, nextCall, summaryOf } from '../travel.js'

/** A model by a script: it reads what its tools answered. Leave `model` away, or name a real one. */
const model = {
  getResponse: async ({ input }) => {
    const results = [input]
      .flat()
      .flatMap(({ type, output }) => (type === 'function_call_result' ? [JSON.parse(output.text)] : []))
    const call = nextCall(results)
    const item =
      call === undefined
        ? {
            type: 'message',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: summaryOf(results) }],
          }
        : {
            type: 'function_call',
            callId: call.id,
            name: call.name,
            status: 'completed',
            arguments: JSON.stringify(call.input),
          }
    return { usage: new Usage(), output: [item] }
  },
}

const runner = new Runner({ tracingDisabled: true })

const agentOf = async (max_amount, conversation) =>
  new Agent({
    name: 'Travel',
    model,
    tools: await serviceTools(await agentClient(max_amount), tools, { conversation }),
  })

async function run(agent, conversation, input) {
  const result = await runner.run(agent, input)
  if (result.interruptions.length === 0) return { text: result.finalOutput }
  return { state: JSON.stringify({ conversation, run: result.state.toString() }) }
}

await commands({
  ask: async (max_amount) => {
    const conversation = crypto.randomUUID()
    return run(await agentOf(max_amount, conversation), conversation, 'Book me the cheapest flight to Berlin.')
  },
  resume: async (state) => {
    const stored = JSON.parse(state)
    const agent = await agentOf(1000, stored.conversation)
    const resumed = await RunState.fromString(agent, stored.run)
    // The user's yes: "go on". Whether it was approved is for the service to say.
    for (const each of resumed.getInterruptions()) resumed.approve(each)
    return run(agent, stored.conversation, resumed)
  },
})
