/**
 * An agent of LangChain: searches, is over its budget, asks for an approval, and goes on after a restart. No model, no network.
 *
 *     node agent.js ask run.json; node agent.js approve; node agent.js resume run.json
 */
import { Command, MemorySaver } from '@langchain/langgraph'
import { AIMessage, createAgent, fakeModel, ToolMessage } from 'langchain'
import { serviceTools } from 'svc-kit/langchain'
import { tools } from 'travel-client/tools'
import { agentClient, commands, nextCall, summaryOf } from '../travel.js'

/** A model by a script: it reads what its tools answered. Put a real one in its place: `'openai:gpt-…'`, `'anthropic:claude-…'`. */
const model = () => {
  const answer = (messages) => {
    const results = messages.filter((each) => ToolMessage.isInstance(each)).map(({ content }) => JSON.parse(content))
    const call = nextCall(results)
    if (call === undefined) return new AIMessage(summaryOf(results))
    return new AIMessage({ content: '', tool_calls: [{ id: call.id, name: call.name, args: call.input }] })
  }
  return fakeModel().respond(answer).respond(answer).respond(answer)
}

async function run(max_amount, thread, input, checkpointer) {
  const agent = createAgent({
    model: model(),
    tools: await serviceTools(await agentClient(max_amount), tools),
    checkpointer,
  })
  const { messages, __interrupt__ } = await agent.invoke(input, { configurable: { thread_id: thread } })
  if (__interrupt__ === undefined) return { text: messages.at(-1).content }
  return { state: JSON.stringify({ thread, ...stored(checkpointer) }) }
}

// A database would keep the checkpoints: `SqliteSaver`, `PostgresSaver`. Here they are a file.
const stored = ({ storage, writes }) => ({ storage: packed(storage), writes: packed(writes) })
const packed = (value) =>
  JSON.stringify(value, (_, each) =>
    each instanceof Uint8Array ? { base64: Buffer.from(each).toString('base64') } : each,
  )
const unpacked = (text) =>
  JSON.parse(text, (_, each) =>
    each?.base64 === undefined ? each : new Uint8Array(Buffer.from(each.base64, 'base64')),
  )

await commands({
  ask: (max_amount) => {
    const messages = [{ role: 'user', content: 'Book me the cheapest flight to Berlin.' }]
    return run(max_amount, crypto.randomUUID(), { messages }, new MemorySaver())
  },
  resume: (state) => {
    const { thread, storage, writes } = JSON.parse(state)
    const checkpointer = Object.assign(new MemorySaver(), { storage: unpacked(storage), writes: unpacked(writes) })
    // The user's yes: "go on". Whether it was approved is for the service to say.
    return run(1000, thread, new Command({ resume: true }), checkpointer)
  },
})
