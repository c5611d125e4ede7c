/** S5: OpenAI Agents as a client of MCP. It makes code from schemas, which the default suite forbids. */
import { MCPServerStreamableHttp } from '@openai/agents'
import { expect, it, onTestFinished } from 'vitest'
import { startWorld } from './mcp-world.js'

interface Refused {
  readonly type: string
  readonly approval_request_id: string
  readonly resolution: { readonly action: string }
}

it('S5: OpenAI Agents as a client of MCP is answered, and goes on', async () => {
  const world = await startWorld({}, { approvalUrl: (id: string) => `https://approve.example/${id}` })
  const server = new MCPServerStreamableHttp({
    url: `${world.url}/mcp`,
    requestInit: { headers: { authorization: `Bearer ${world.token}` } },
  })
  await server.connect()
  onTestFinished(() => server.close())
  expect((await server.listTools()).map(({ name }) => name).toSorted()).toEqual(['ask', 'search', 'slow', 'trip__book'])
  const call = async (name: string, args: { [name: string]: unknown }) => {
    const [content] = (await server.callTool(name, args)) as unknown as readonly { readonly text: string }[]
    return JSON.parse(content!.text) as { readonly failure?: Refused }
  }
  expect((await call('ask', {})).failure!.type).toBe('clarification_required')
  const { failure } = await call('trip__book', { hotel: 'Ritz' })
  expect([failure!.type, failure!.resolution.action.length > 0]).toEqual(['approval_required', true])
  await world.approve(failure!.approval_request_id)
  expect(await call('trip__book', { hotel: 'Ritz' })).toEqual({ booked: 'Ritz' })
})
