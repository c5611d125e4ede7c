/**
 * An agent of the AI SDK: searches, is over its budget, asks for an approval, and goes on after a restart. No model, no network.
 *
 *     node agent.js ask run.json; node agent.js approve; node agent.js resume run.json
 */
import { generateText, stepCountIs } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { serviceTools } from 'svc-kit/ai-sdk'
import { tools } from 'travel-client/tools'
import { agentClient, commands, nextCall, summaryOf } from '../travel.js'

/** A model by a script: it reads what its tools answered. Put a real one in its place: `openai('gpt-…')`, `anthropic('claude-…')`. */
const model = new MockLanguageModelV3({
  doGenerate: async ({ prompt }) => {
    const results = prompt
      .flatMap(({ role, content }) => (role === 'tool' ? content : []))
      .flatMap(({ output }) => (output ? [output.value] : []))
    const call = nextCall(results)
    const content =
      call === undefined
        ? { type: 'text', text: summaryOf(results) }
        : { type: 'tool-call', toolCallId: call.id, toolName: call.name, input: JSON.stringify(call.input) }
    const reason = call === undefined ? 'stop' : 'tool-calls'
    return {
      content: [content],
      finishReason: { unified: reason },
      usage: { inputTokens: {}, outputTokens: {} },
      warnings: [],
    }
  },
})

async function run(max_amount, conversation, messages) {
  const client = await agentClient(max_amount)
  const result = await generateText({
    model,
    messages,
    stopWhen: stepCountIs(5),
    ...(await serviceTools(client, tools, { conversation })),
  })
  const waits = result.content.some(({ type }) => type === 'tool-approval-request')
  const state = JSON.stringify({ conversation, messages: [...messages, ...result.response.messages] })
  return waits ? { state } : { text: result.text }
}

await commands({
  ask: (max_amount) =>
    run(max_amount, crypto.randomUUID(), [{ role: 'user', content: 'Book me the cheapest flight to Berlin.' }]),
  resume: async (state) => {
    const { conversation, messages } = JSON.parse(state)
    const asked = messages.flatMap(({ content }) => content).filter(({ type }) => type === 'tool-approval-request')
    // The user's yes: "go on". Whether it was approved is for the service to say.
    const content = asked.map(({ approvalId }) => ({ type: 'tool-approval-response', approvalId, approved: true }))
    return run(1000, conversation, [...messages, { role: 'tool', content }])
  },
})
