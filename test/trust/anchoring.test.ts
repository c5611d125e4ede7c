import { expect, it } from 'vitest'
import { alarms } from '../../src/runtime/lifecycle/alarms.js'
import { healthTeller } from '../../src/runtime/lifecycle/anchoring.js'

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
