/** When people are told that an approval request is about to expire, and that it has; and what waited for a target that was away (decisions, section 13). */
import { expect, it } from 'vitest'
import { deliverDue } from '../../src/runtime/events/dispatch.js'
import { reportExpiries } from '../../src/runtime/events/report.js'
import type { NotifyTarget } from '../../src/runtime/events/targets/target.js'
import { startFixture, type Given } from './fixture/service.js'
import { atMost, request } from './storage/examples.js'

const target = (...events: NotifyTarget['events']): NotifyTarget => ({
  name: 'ops',
  events,
  problems: [],
  deliver: async () => ({ ok: true }),
})
const SETTINGS = { denial_holds: 'PT10M', allow_agents: false, separation_of_duties: true }

async function asked(request_ttl: string, ttlMs: number, notify: Given['notify']) {
  const fixture = await startFixture({ notify, manifest: { approvals: { ...SETTINGS, request_ttl } } })
  await fixture.storage.approvals.open(await request(fixture.storage, 'who', ttlMs), atMost(9))
  const told = async (ms: number) => {
    fixture.time.now += ms
    await reportExpiries(fixture.service)
    return (await fixture.storage.outbox.list({ limit: 9 })).map(({ type }) => type)
  }
  return { ...fixture, told }
}

it.each([
  ['PT2S', 2_000, 500],
  ['PT20M', 20 * 60_000, 300_000],
  ['PT40M', 40 * 60_000, 600_000],
  ['PT24H', 24 * 3_600_000, 600_000],
])('a request that lasts %s (%i ms) is about to expire for the last %i ms', async (ttl, ttlMs, last) => {
  const { told } = await asked(ttl, ttlMs, [target('approval.expiring', 'approval.expired')])
  expect(await told(ttlMs - last - 1)).toEqual([])
  expect(await told(1)).toEqual(['approval.expiring'])
  expect(await told(last - 1)).toEqual(['approval.expiring'])
  expect(await told(1)).toEqual(['approval.expired', 'approval.expiring'])
  expect(await told(1)).toEqual(['approval.expired', 'approval.expiring'])
})

it.each([
  [['approval.expiring'], ['approval.expiring']],
  [['approval.expired'], ['approval.expired']],
  [['alarm.raised'], []],
] as const)('to whom asks for %j, %j is told', async (events, types) => {
  const { told } = await asked('PT2S', 2_000, [target(...events)])
  await told(1_999)
  expect(await told(1)).toEqual(types)
})

it('of more requests than a look reports, each is reported in one round', async () => {
  const { storage, told } = await asked('PT2S', 2_000, [target('approval.expired')])
  for (let each = 0; each < 104; each++)
    await storage.approvals.open(await request(storage, `who${each}`, 2_000), atMost(9))
  await told(2_000)
  expect(await storage.outbox.list({ limit: 1_000 })).toHaveLength(105)
})

it('what waits for a target that was away is sent as soon as something arrives there', async () => {
  const sent: string[] = []
  let isAway = true
  const ops: NotifyTarget = {
    ...target('alarm.raised'),
    deliver: async ({ body }) => {
      if (isAway) return { ok: false, error: 'no answer (ECONNREFUSED)' }
      sent.push((JSON.parse(body) as { id: string }).id)
      return { ok: true }
    },
  }
  const { service, storage, time } = await startFixture({ notify: [ops] })
  const event = (id: string) => ({ id, type: 'alarm.raised', subject: id, body: JSON.stringify({ id }), targets: ['ops'] }) as const // prettier-ignore
  const health = { failures: 0, pausedUntil: 0, refused: new Set<number>() }
  await storage.outbox.add([event('e1'), event('e2')])
  await deliverDue(service, ops, health)
  isAway = false
  time.now += 1_000
  await storage.outbox.add([event('e3')])
  await deliverDue(service, ops, health)
  expect(sent.toSorted()).toEqual(['e1', 'e2', 'e3'])
})
