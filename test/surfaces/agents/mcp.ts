import { legacy, modern, type Agent as McpAgent, type Answered, type World } from '../mcp-world.js'
import { capabilityOf, toolNameOf, type Connect, type Shown, type Turn } from './agent.js'

interface Made {
  readonly capability: string
  readonly input: object
}

const over =
  (connect: (world: World) => Promise<McpAgent>): Connect =>
  async (place) => {
    const agent = await connect(place as never)
    const call = async (capability: string, input: object, meta?: object): Promise<Turn> =>
      turnOf({ capability, input }, await agent.call(toolNameOf(capability), input, meta))
    return {
      list: async () => (await agent.list()).map(({ name }) => capabilityOf(name)),
      call: (capability, input, { id, task } = {}) =>
        call(capability, input, {
          ...(id !== undefined && { 'svc-kit/idempotency_key': id }),
          ...(task !== undefined && { 'svc-kit/task_id': task }),
        }),
      resume: async (state, yes) => {
        if (!yes) throw new Error('A client of MCP that shows no page cannot say no.')
        return call((state as Made).capability, (state as Made).input)
      },
    }
  }

const turnOf = (state: Made, { structuredContent }: Answered): Turn => ({
  shown: (structuredContent ?? {}) as Shown,
  state,
})

export const mcpModern = over((world) => modern(world, { token: world.token }))
export const mcpLegacy = over((world) => legacy(world, world.token))
