/** What was approved is what runs: `approval.preview: must_hold` (decisions, section 17). */
import { describe, expect, it } from 'vitest'
import type { ApprovalRequirement } from '../../src/protocol/manifest.js'
import type { HandlerContext } from '../../src/runtime/index.js'
import { capability, input } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'

const policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 900, max_uses: 1 } as const // prettier-ignore

interface Case {
  readonly preview?: 'must_hold'
  readonly required?: ApprovalRequirement['required']
  readonly isStep?: boolean
}

async function start({ preview, required = 'always', isStep = false }: Case) {
  const world = { things: 1 }
  const ran: string[] = []
  const approval = { required, grant_policy: policy, ...(preview && { preview }) }
  const clean = capability({
    inputs: [input('list')],
    side_effect: { type: 'irreversible' },
    approval,
    output: { type: 'cleaned', fields: [{ name: 'list', type: 'string' }] },
  })
  const fixture = await startFixture({
    capabilities: {
      book: clean,
      find: capability({ inputs: [input('list')], side_effect: { type: 'write' }, output: clean.output }),
      trip: capability({
        kind: 'composed',
        inputs: [input('list')],
        side_effect: { type: 'irreversible' },
        output: clean.output,
        composition: {
          authority_boundary: 'same_service',
          steps: [
            { id: 'find', capability: 'find' },
            { id: 'clean', capability: 'book' },
          ],
          input_mapping: { find: { list: '$.input.list' }, clean: { list: '$.steps.find.output.list' } },
          output_mapping: { list: '$.steps.clean.output.list' },
          failure_policy: { child_clarification: 'propagate', child_denial: 'propagate', child_approval_required: 'propagate', child_error: 'fail_parent' }, // prettier-ignore
          audit_policy: { record_child_invocations: true, parent_task_lineage: true },
        },
      }),
    },
    handlers: {
      book: ({ list }: { list: string }, context: HandlerContext) => {
        if (required === 'handler') context.approvalRequired({ shown: 'by the handler' })
        ran.push(`changed ${world.things}`)
        return { list }
      },
      find: ({ list }: { list: string }) => (ran.push('find'), { list }),
    },
    implementation: {
      previews: {
        book: () => (world.things === 0 ? undefined : { summary: `Changes ${world.things} things.` }) as never,
      },
    },
  })
  const { token } = await fixture.root({ subject: 'agent:planner' })
  const call = async (body: object = { approval: 'continue' }) =>
    (await fixture.invoke(isStep ? 'trip' : 'book', token, { parameters: { list: 'a' }, ...body })).body
  const asked = async (body?: object) => (await call(body))['failure']!['approval_request_id'] as never as string
  const read = async (id: string, bearer = 'bob-key') =>
    (await fixture.call('GET', `/svc/approval_requests/${id}`, { bearer })).body
  const approve = async (approval_request_id: string, terms: object = {}) =>
    (await fixture.post('/svc/approval_grants', 'bob-key', { approval_request_id, ...terms })).body
  return { fixture, token, world, ran, call, asked, read, approve }
}

describe('a preview that must hold', () => {
  it.each<[string, Case]>([
    ['of each call', {}],
    ['where the handler asks', { required: 'handler' }],
    ['of a step', { isStep: true }],
  ])('asks again with both shown where it has changed, and then runs: %s', async (_, differences) => {
    const { fixture, world, ran, call, asked, read, approve } = await start({ preview: 'must_hold', ...differences })
    const first = await asked()
    await approve(first)
    world.things = 1000
    const second = await asked()
    expect(await read(second)).toMatchObject({
      status: 'pending',
      preview: { summary: 'Changes 1000 things.' },
      approved_before: { approval_request_id: first, preview: { summary: 'Changes 1 things.' } },
    })
    expect(second).not.toBe(first)
    expect(await asked()).toBe(second)
    fixture.time.now += 1000
    // A later decision counts, also where its grant ends earlier than the one before.
    await approve(second, { expires_in_seconds: 60 })
    expect(await call()).toMatchObject({ success: true })
    expect(ran).toEqual([...(differences.isStep === true ? ['find'] : []), 'changed 1000'])
  })

  it('is decided anew for good: a denial holds, also where what was approved first comes back', async () => {
    const { fixture, world, ran, call, asked, approve } = await start({ preview: 'must_hold' })
    await approve(await asked())
    world.things = 1000
    await fixture.post(`/svc/approval_requests/${await asked()}/deny`, 'bob-key', {})
    world.things = 1
    expect((await call())['failure']).toMatchObject({ type: 'approval_denied' })
    expect(ran).toEqual([])
  })

  it('runs once for one decision, also where what was approved first comes back', async () => {
    const { world, ran, call, asked, approve } = await start({ preview: 'must_hold' })
    await approve(await asked())
    world.things = 1000
    await approve(await asked())
    expect(await call()).toMatchObject({ success: true })
    world.things = 1
    expect((await call())['failure']).toMatchObject({ type: 'approval_required' })
    expect(ran).toEqual(['changed 1000'])
  })

  it('lets the call run as long as it holds', async () => {
    const { ran, call, asked, approve } = await start({ preview: 'must_hold' })
    await approve(await asked())
    expect(await call()).toMatchObject({ success: true })
    expect(ran).toEqual(['changed 1'])
  })

  it('asks again where the caller names the grant', async () => {
    const { world, ran, call, asked, approve } = await start({ preview: 'must_hold' })
    const { grant_id } = await approve(await asked())
    world.things = 1000
    expect(await call({ approval_grant: grant_id })).toMatchObject({
      success: false,
      failure: { type: 'approval_required', retry: false },
    })
    expect(ran).toEqual([])
  })

  it('asks again where nothing is shown any more', async () => {
    const { world, ran, asked, read, approve } = await start({ preview: 'must_hold' })
    await approve(await asked())
    world.things = 0
    expect(await read(await asked())).toMatchObject({ approved_before: { preview: { summary: 'Changes 1 things.' } } })
    expect(ran).toEqual([])
  })

  it('tells the requester nothing of what was approved, and ends with a denial', async () => {
    const { fixture, token, world, call, asked, read, approve } = await start({ preview: 'must_hold' })
    await approve(await asked())
    world.things = 1000
    const second = await asked()
    expect((await read(second, token))['approved_before']).toBeUndefined()
    await fixture.post(`/svc/approval_requests/${second}/deny`, 'bob-key', { reason: 'Too many.' })
    expect((await call())['failure']).toMatchObject({ type: 'approval_denied' })
  })

  it('is the author’s choice: without it, the approval holds for the parameters', async () => {
    const { world, ran, call, asked, approve } = await start({})
    await approve(await asked())
    world.things = 1000
    expect(await call()).toMatchObject({ success: true })
    expect(ran).toEqual(['changed 1000'])
  })

  it('keeps a service without a preview of the capability from starting', async () => {
    const approval = { required: 'always', grant_policy: policy, preview: 'must_hold' } as const
    const started = startFixture({
      capabilities: { book: capability({ side_effect: { type: 'irreversible' }, approval }) },
      handlers: { book: () => ({}) },
    })
    await expect(started).rejects.toThrow(
      'Capability book has approval.preview: must_hold and no preview. Pass one to createService, or remove the line.',
    )
  })
})
