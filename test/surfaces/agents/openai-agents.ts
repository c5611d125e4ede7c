import { Agent as OpenAiAgent, RunState, Runner, Usage, type Model, type ModelRequest } from '@openai/agents'
import { serviceTools } from '../../../src/adapters/openai-agents.js'
import { capabilityOf, toolNameOf, type Agent, type Place, type Shown, type Turn } from './agent.js'
import { clientOf } from './typed-client.js'

const DONE = { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Done.' }] } // prettier-ignore

/** A model that gives these answers, one after another, and remembers what it was shown. */
function scripted(answers: readonly object[]): Model & { readonly seen: ModelRequest[] } {
  const seen: ModelRequest[] = []
  return {
    seen,
    getResponse: async (request) => {
      seen.push(request)
      return { usage: new Usage(), output: [answers[seen.length - 1] ?? DONE] as never }
    },
    getStreamedResponse: () => {
      throw new Error('This model does not stream.')
    },
  }
}

/** An agent of the OpenAI Agents SDK. */
export async function openAiAgents(place: Place): Promise<Agent> {
  const runner = new Runner({ tracingDisabled: true })
  const agentWith = async (model: Model, task?: string) =>
    new OpenAiAgent({
      name: 'Agent',
      model,
      tools: await serviceTools(clientOf(place), place.tools, {
        ...(place.approval && { approval: place.approval }),
        ...(task !== undefined && { task_id: task }),
      }),
    })
  return {
    list: async () => (await agentWith(scripted([]))).tools.map(({ name }) => capabilityOf(name)),
    call: async (capability, input, { id = crypto.randomUUID(), task } = {}) => {
      const made = { type: 'function_call', callId: id, name: toolNameOf(capability), status: 'completed', arguments: JSON.stringify(input) } // prettier-ignore
      const model = scripted([made])
      return turnOf(await runner.run(await agentWith(model, task), 'Go.'), model)
    },
    resume: async (state, yes) => {
      const model = scripted([])
      const agent = await agentWith(model)
      const run = await RunState.fromString(agent, state as string)
      for (const each of run.getInterruptions()) {
        if (yes) run.approve(each)
        else run.reject(each)
      }
      return turnOf(await runner.run(agent, run), model)
    },
  }
}

/** What the model was shown of its call, among the input of its next turn. */
function turnOf(
  result: { readonly interruptions: readonly unknown[]; readonly state: { toString(): string } },
  { seen }: { readonly seen: readonly ModelRequest[] },
): Turn {
  const state = result.state.toString()
  if (result.interruptions.length > 0) return { paused: true, state }
  const input = seen.at(-1)?.input
  const items = Array.isArray(input) ? input : []
  const last = items.findLast((item) => item.type === 'function_call_result')
  const output = last?.type === 'function_call_result' ? last.output : undefined
  const text = typeof output === 'object' && !Array.isArray(output) && output.type === 'text' ? output.text : output
  return { shown: shownIn(String(text)), state }
}

const shownIn = (text: string): Shown => (text.startsWith('{') ? (JSON.parse(text) as Shown) : { text })
