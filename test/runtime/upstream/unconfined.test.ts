import { expect, it } from 'vitest'
import { mcpUpstream, type PinnedProcess } from '../../../src/runtime/upstream/index.js'
import { startFixture } from '../fixture/service.js'

const SERVER: PinnedProcess = { package: 'notes', version: '1.0.0', integrity: 'x', files: 'x', file: 'x', args: [], env: [], paths: [], allow: [] } // prettier-ignore

it('a service reports at each start which server nothing confines, and its health shows it', async () => {
  mcpUpstream({ name: 'notes', server: SERVER, tools: {} }, () => ({}))
  const confined = await startFixture()
  expect(confined.service.alarms.all()).not.toContain('upstream_unconfined')
  mcpUpstream({ name: 'legacy', server: { ...SERVER, confinement: 'none', reason: 'It is ours.' }, tools: {} }, () => ({})) // prettier-ignore
  for (const { logged, call } of [await startFixture(), await startFixture()]) {
    expect(logged).toContain(
      'An MCP server behind runs without confinement: it reaches all that this service reaches. ' +
        '{"name":"legacy","reason":"It is ours."}',
    )
    expect((await call('GET', '/-/ready')).body).toMatchObject({ status: 'degraded', alarms: ['upstream_unconfined'] })
  }
})
