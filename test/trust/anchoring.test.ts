import { expect, it } from 'vitest'
import { generateRingKey } from '../../src/crypto/keys/key-ring.js'
import { verifyCheckpoint } from '../../src/crypto/merkle/checkpoint.js'
import { alarms } from '../../src/runtime/telemetry/alarms.js'
import { healthTeller, startAnchoring } from '../../src/runtime/lifecycle/anchoring.js'
import { PROCESS_TIME } from '../../src/runtime/telemetry/process-time.js'
import { KEYS, startFixture } from '../runtime/fixture/service.js'

it('tells what is wrong with checkpoints, what to do, and tells it again when it is something else', () => {
  const told: string[] = []
  const raised = alarms()
  const silent = () => undefined
  const log = { debug: silent, info: silent, warn: silent, error: (message: string) => void told.push(message) }
  const tell = healthTeller({ alarms: raised, log })
  tell('checkpoint_missing')
  tell('checkpoint_missing')
  expect(raised.all()).toEqual(['log_discontinuity'])
  tell('checkpoint_altered')
  tell('ok')
  expect(raised.all()).toEqual([])
  expect(told).toEqual([
    expect.stringContaining('After restoring a backup: svc audit resume'),
    expect.stringContaining('svc keys retire <kid> --keep-verifying'),
  ])
})

it.each([
  ['ok', []],
  ['overdue', ['checkpoint_overdue']],
  ['failed', ['checkpoint_failed']],
  ['log_smaller', ['log_discontinuity']],
  ['log_differs', ['log_discontinuity']],
  ['checkpoint_missing', ['log_discontinuity']],
  ['checkpoint_altered', ['log_discontinuity']],
  ['entries_hidden', ['trail_altered']],
] as const)('checkpoints that are %s raise %j, whatever they were before', (health, expected) => {
  const raised = alarms()
  const silent = () => undefined
  const tell = healthTeller({ alarms: raised, log: { debug: silent, info: silent, warn: silent, error: silent } })
  for (const before of ['overdue', 'failed', 'log_differs'] as const) {
    tell(before)
    tell(health)
    expect(raised.all()).toEqual(expected)
  }
})

it('what was altered stays so, though checkpoints are well again', () => {
  const raised = alarms()
  const silent = () => undefined
  const tell = healthTeller({ alarms: raised, log: { debug: silent, info: silent, warn: silent, error: silent } })
  tell('entries_hidden')
  tell('ok')
  expect(raised.all()).toEqual(['trail_altered'])
})

it('a service dates no checkpoint while its clock differs, and makes one when it does not', async () => {
  const { service, root } = await startFixture()
  await root()
  const checkpoints = startAnchoring(service, PROCESS_TIME)!
  service.alarms.add('clock_differs')
  expect(await checkpoints.makeNow()).toBeUndefined()
  service.alarms.clear('clock_differs')
  expect(await checkpoints.makeNow()).toMatchObject({ sequence: 1, entry_count: 1, created_at: '2026-03-01T12:00:00.000Z' }) // prettier-ignore
  await checkpoints.stop()
})

it('a service signs its next checkpoint by the key that took over', async () => {
  const { service, root } = await startFixture()
  const checkpoints = startAnchoring(service, PROCESS_TIME)!
  await root()
  const first = (await checkpoints.makeNow())!
  const [manifest, tokens, audit] = [KEYS.keys[0]!, KEYS.keys[1]!, KEYS.keys[2]!]
  const fresh = generateRingKey('audit', 'active')
  service.keys.replace({ keys: [manifest, tokens, fresh, { ...audit, state: 'retired' }] })
  await root()
  const second = (await checkpoints.makeNow())!
  expect([first, second].map((each) => verifyCheckpoint(each, [audit, fresh])?.kid)).toEqual([audit.kid, fresh.kid])
  await checkpoints.stop()
})

it('a service whose trust is not anchored makes none', async () => {
  const { service } = await startFixture({ manifest: { trust: { level: 'signed' } } })
  expect(startAnchoring(service, PROCESS_TIME)).toBeUndefined()
})
