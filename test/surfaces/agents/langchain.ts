import { Command, MemorySaver } from '@langchain/langgraph'
import { AIMessage, createAgent, fakeModel, ToolMessage } from 'langchain'
import { serviceTools } from '../../../src/adapters/langchain.js'
import { capabilityOf, toolNameOf, type Agent, type Place, type Shown, type Turn } from './agent.js'
import { clientOf } from './typed-client.js'

/** An agent of LangChain, on a LangGraph with a checkpointer. */
export async function langChain(place: Place): Promise<Agent> {
  const tools = (task?: string) =>
    serviceTools(clientOf(place), place.tools, {
      ...(place.approval && { approval: place.approval }),
      ...(task !== undefined && { task_id: task }),
    })
  const run = async (model: ReturnType<typeof fakeModel>, input: unknown, checkpointer: MemorySaver, task?: string) => {
    const agent = createAgent({ model, tools: await tools(task), checkpointer })
    const state = await agent.invoke(input as never, { configurable: { thread_id: 'thread' } })
    return turnOf(state as never, stored(checkpointer))
  }
  return {
    list: async () => (await tools()).map(({ name }) => capabilityOf(name)),
    call: (capability, input, { id = crypto.randomUUID(), task } = {}) => {
      const model = fakeModel()
        .respondWithTools([{ name: toolNameOf(capability), args: input as never, id }])
        .respond(new AIMessage('Done.'))
      const messages = [{ role: 'user', content: 'Go.' }]
      return run(model, { messages }, new MemorySaver(), task)
    },
    resume: (state, yes) =>
      run(fakeModel().respond(new AIMessage('Done.')), new Command({ resume: yes }), restored(state as string)),
  }
}

/** The checkpoints as text, and from it: what a database would keep over a restart. */
const stored = ({ storage, writes }: MemorySaver): string =>
  JSON.stringify({ storage, writes }, (_, value: unknown) =>
    value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value,
  )

const restored = (text: string): MemorySaver =>
  Object.assign(
    new MemorySaver(),
    JSON.parse(text, (_, value: { readonly base64?: string } | null) =>
      value?.base64 === undefined ? value : new Uint8Array(Buffer.from(value.base64, 'base64')),
    ),
  )

/** What the model is shown of its call. */
function turnOf(
  {
    messages,
    __interrupt__ = [],
  }: { readonly messages: readonly unknown[]; readonly __interrupt__?: readonly unknown[] },
  state: string,
): Turn {
  if (__interrupt__.length > 0) return { paused: true, state }
  const last = messages.findLast((each) => ToolMessage.isInstance(each))
  const text = String(last?.content)
  return { shown: text.startsWith('{') ? (JSON.parse(text) as Shown) : { text }, state }
}
