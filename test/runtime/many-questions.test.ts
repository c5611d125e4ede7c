import { expect, it } from 'vitest'
import { capability, input, ONE_TIME } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'

const book = capability({
  inputs: [input('hotel')],
  side_effect: { type: 'irreversible' },
  approval: { required: 'always', grant_policy: ONE_TIME },
})

it('N14: a thousand questions that are taken back leave no more requests than the rate allows, over ten subjects of one root', async () => {
  const fixture = await startFixture({ capabilities: { book } })
  const subjects = await Promise.all(
    Array.from({ length: 10 }, async (_, n) => (await fixture.root({ subject: `agent:a${n}` })).token),
  )
  const opened = new Set<unknown>()
  const types = new Set<unknown>()
  for (let n = 0; n < 1000; n++) {
    const token = subjects[n % 10]!
    const { body } = await fixture.invoke('book', token, { parameters: { hotel: `Hotel ${n}` }, approval: 'continue' })
    types.add(body['failure']!['type'])
    const id = body['failure']!['approval_request_id'] as unknown as string | undefined
    if (id === undefined) continue
    opened.add(id)
    await fixture.post(`/svc/approval_requests/${id}/withdraw`, token, {})
  }
  expect([...types]).toEqual(['approval_required', 'rate_limited'])
  expect(opened.size).toBe(fixture.service.limits.approvalRequestsPerMinute)
})
