import { expect, it } from 'vitest'
import { issueChildToken, issueRootToken } from '../../src/runtime/index.js'
import { capability } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'

it('helpers issue tokens that are bound to a capability', async () => {
  const { service, invoke } = await startFixture({ capabilities: { search: capability(), other: capability() } })
  const root = await issueRootToken(service, { principal: 'human:ana' }, 'search', {
    scope: ['travel.search'],
    subject: 'agent:planner',
  })
  const child = await issueChildToken(service, root.token_id, 'search', {
    scope: ['travel.search'],
    subject: 'agent:worker',
  })
  expect([root.capability, child.capability]).toEqual(['search', 'search'])
  expect((await invoke('search', child.token)).status).toBe(200)
  expect((await invoke('other', child.token)).body['failure']?.['type']).toBe('purpose_mismatch')
  const wider = issueChildToken(service, root.token_id, 'other', { scope: ['travel.search'] })
  await expect(wider).rejects.toMatchObject({ failure: { type: 'scope_escalation' } })
  await expect(issueChildToken(service, 'tok_none', 'search', { scope: [] })).rejects.toMatchObject({
    failure: { type: 'insufficient_authority' },
  })
})
