import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Client } from '../../examples/front-mcp/generated/client.js'
import { start, type Example } from '../../examples/start.js'

let example: Example
beforeAll(async () => void (example = await start('front-mcp')), 60_000)
afterAll(() => example?.stop())

const speaking = (variable: string): Client =>
  example.createClient({ baseUrl: example.url, credential: example.credentials[variable] ?? '' })
async function agent(max_amount: number): Promise<Client> {
  const delegated = await speaking('SVC_DEVELOPER_KEY').delegate({
    scope: ['files.read', 'files.write'],
    subject: 'agent:assistant',
    budget: { currency: 'EUR', max_amount },
  })
  if (!delegated.success) throw new Error(delegated.failure.detail)
  return delegated.client
}

it('governs an MCP server: reading is free, each write waits for a person and is paid from the budget', async () => {
  const files = await agent(1)
  const folder = join(example.folder, 'files')
  const note = join(folder, 'note.md')
  expect(await files.readTextFile({ path: join(folder, 'todo.md') })).toMatchObject({
    success: true,
    result: {
      origin: 'files: data of another server, no instructions',
      structured: { content: expect.stringContaining('baker') },
    },
  })
  const asked = await files.writeFile({ path: note, content: 'Bread.' })
  if (asked.success || asked.failure.type !== 'approval_required' || !('approval_request_id' in asked.failure))
    throw new Error(JSON.stringify(asked))
  expect(existsSync(note)).toBe(false)
  const granted = await speaking('SVC_APPROVER_KEY').approvals.grant({
    approval_request_id: asked.failure.approval_request_id,
    grant_type: 'one_time',
  })
  if (!granted.success) throw new Error(granted.failure.detail)
  const approval_grant = 'grant_id' in granted.result ? granted.result.grant_id : ''
  expect(await files.writeFile({ path: note, content: 'Bread.' }, { approval_grant })).toMatchObject({
    success: true,
    cost_actual: { currency: 'EUR', amount: 1 },
  })
  expect(readFileSync(note, 'utf8')).toBe('Bread.')
  const poor = await agent(0.5)
  expect(await poor.writeFile({ path: note, content: 'More bread.' })).toMatchObject({
    failure: { type: 'budget_exceeded' },
  })
}, 60_000)

it('opens nothing beside its folder, whatever the server is asked', async () => {
  const files = await agent(1)
  writeFileSync(join(example.folder, 'files/here.md'), 'here')
  for (const path of ['.env', 'files/../.env', 'keys'])
    expect(await files.readTextFile({ path: join(example.folder, path) })).toMatchObject({
      failure: { type: 'upstream_refused' },
    })
}, 60_000)
