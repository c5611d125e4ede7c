import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { CASES, judge } from '../../src/cli/conformance/run.js'
import { connectToService, type ServiceUnderTest } from '../../src/conformance/target.js'
import type { Running } from '../../src/runtime/node.js'
import { CREDENTIALS, startService } from './service.js'

let running: Running
let target: ServiceUnderTest

beforeAll(async () => {
  running = await startService()
  target = await connectToService(running.url, CREDENTIALS)
})
afterAll(() => running.close())

describe('the conformance suite', () => {
  it('has at least 200 cases', () => {
    expect(CASES.length).toBeGreaterThanOrEqual(200)
  })

  it.each(CASES.map((each) => [each.section, each.title, each] as const))(
    '[%s] %s applies, and holds',
    async (_, __, { run }) => {
      await run(target)
    },
  )

  it('says and counts what does not apply', async () => {
    const { credentials, ...rest } = target
    const alone: ServiceUnderTest = { ...rest, credentials: { developer: credentials.developer } }
    const own = CASES.filter(({ title }) => title === 'a principal sees only its own trail')
    expect(await judge(alone, own)).toEqual([
      {
        section: '4.8',
        title: 'a principal sees only its own trail',
        result: 'not_tried',
        reason: 'neither the approver nor the agent is another principal that may have a token',
      },
    ])
  })

  it('finds what is wrong with a service', async () => {
    const broken: ServiceUnderTest = {
      ...target,
      discovery: { ...(target.discovery as object), version: 'new' } as never,
    }
    const verdicts = await judge(
      broken,
      CASES.filter(({ title }) => title === 'version is a dotted version string'),
    )
    expect(verdicts).toEqual([
      {
        section: '2.1',
        title: 'version is a dotted version string',
        result: 'failed',
        reason: 'version is "new", expected /^\\d+\\.\\d+\\.\\d+$/u',
      },
    ])
  })

  it.each([
    ['a composition that finds nothing, and clarifies, names the inputs to give anew', 'stay', { type: 'composition_empty_result' }, 'failure.type is "composition_empty_result", expected "clarification_required"'],
    ['a composition that finds nothing, and clarifies, names the inputs to give anew', 'stay', { type: 'clarification_required', clarification: { inputs: [] } }, 'stay names no input'],
    ['an approval that depends on the cost is needed by the checked cost, a quote or not', 'sleep_well', { type: 'rate_limited' }, 'failure.type is "rate_limited", expected "approval_required"'],
    ['an approval that depends on the cost is needed by the checked cost, a quote or not', 'sleep', { type: 'approval_required' }, 'sleep asks at 80'],
  ])('finds that "%s" does not hold where %s fails with %j', async (title, name, failure, reason) => {
    const invoke: ServiceUnderTest['invoke'] = async (called, ...rest) => {
      const reply = await target.invoke(called, ...rest)
      return called === name ? { ...reply, body: { ...(reply.body as object), failure } as never } : reply
    }
    const verdicts = await judge({ ...target, invoke }, CASES.filter((each) => each.title === title))
    expect(verdicts.map(({ result, reason }) => [result, reason])).toEqual([['failed', reason]])
  }) // prettier-ignore

  it.each([
    ['the lifetime is two hours by default', 7200],
    ['ttl_hours may be a fraction', 1800],
  ])('takes for "%s" what is two minutes off at most, by another clock', async (title, seconds) => {
    vi.useFakeTimers({ now: 0, toFake: ['Date'] })
    const results: unknown[] = []
    for (const off of [-120, -119, 0, 119, 120]) {
      const expires_at = new Date((seconds + off) * 1000).toISOString()
      const root = async () => ({ ...(await target.root()), expires_at })
      results.push(...(await judge({ ...target, root }, CASES.filter((each) => each.title === title))).map(({ result }) => result)) // prettier-ignore
    }
    vi.useRealTimers()
    expect(results).toEqual(['failed', 'passed', 'passed', 'passed', 'failed'])
  })
})
