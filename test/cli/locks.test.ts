/** When a lock is somebody's, and when it was left behind: the first is waited for, the other taken over. */
import { lstatSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { oneAtATime } from '../../src/cli/shared/locks/one-at-a-time.js'

let lock = ''
let pauses = 0
/** How many pauses pass before whoever has the lock is done. */
let patience = 1
vi.mock('node:timers/promises', () => ({
  setTimeout: async () => {
    pauses += 1
    if (pauses === patience) rmSync(lock, { force: true })
  },
}))
beforeEach(() => {
  lock = join(mkdtempSync(join(tmpdir(), 'svc-locks-')), 'lock')
  ;[pauses, patience] = [0, 1]
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(join(lock, '..'), { recursive: true })
})

/** Of a process that has ended. */
const ENDED = spawnSync(process.execPath, ['--version']).pid
const HERE = hostname()

function heldBy(text: string, ageMs: number): void {
  writeFileSync(lock, text)
  const then = new Date(Date.now() - ageMs)
  utimesSync(lock, then, then)
}

it.each<[string, string, number, 'waits' | 'takes it over']>([
  ['a process that lives', `${process.ppid} ${HERE} 1`, 0, 'waits'],
  ['a process that lives, and has shown no life for long', `${process.ppid} ${HERE} 1`, 65_000, 'takes it over'],
  ['a process that lives, and showed life within a minute', `${process.ppid} ${HERE} 1`, 50_000, 'waits'],
  ['one dated long after now', `${process.ppid} ${HERE} 1`, -65_000, 'takes it over'],
  ['a process that has ended', `${ENDED} ${HERE} 1`, 0, 'takes it over'],
  ['a process of another machine', `${ENDED} another.example 1`, 0, 'waits'],
  ['a process of another machine, long ago', `${ENDED} another.example 1`, 65_000, 'takes it over'],
  ['an earlier process of this number', `${process.pid} ${HERE} 1`, 0, 'takes it over'],
  ['nobody yet', '', 0, 'waits'],
  ['nobody for some seconds', '', 2_500, 'takes it over'],
  ['a name that is not whole', `${ENDED}`, 0, 'waits'],
  ['a text too long for a name', `${ENDED} ${HERE} ${'1'.repeat(1000)}`, 0, 'waits'],
])('who meets the lock of %s', async (_, text, age, does) => {
  heldBy(text, age)
  expect(await oneAtATime(lock, 'Busy.', async () => 'done')).toBe('done')
  expect(pauses > 0 ? 'waits' : 'takes it over').toBe(does)
  expect(lstatSync(lock, { throwIfNoEntry: false })).toBeUndefined()
})

it('whoever may not be asked lives', async () => {
  heldBy(`${ENDED} ${HERE} 1`, 0)
  vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error('No.'), { code: 'EPERM' })
  })
  await oneAtATime(lock, 'Busy.', async () => undefined)
  expect(pauses).toBe(1)
})

it('says after a second what it waits for, once, and gives up after a minute and a half', async () => {
  const said: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => (said.push(String(text)), true))
  heldBy(`${process.ppid} ${HERE} 1`, 0)
  patience = 19
  await oneAtATime(lock, 'Busy.', async () => undefined)
  expect(said).toEqual([])
  heldBy(`${process.ppid} ${HERE} 1`, 0)
  ;[pauses, patience] = [0, 0]
  await expect(oneAtATime(lock, 'Busy.', async () => undefined)).rejects.toThrow(`Busy. Wait for it, and try again; if there is none, delete ${lock}.`) // prettier-ignore
  expect([said, pauses]).toEqual([['Busy. This one waits for it.\n'], 1800])
})

it('is its owner’s alone, holds who has it, and is taken over by one of several', async () => {
  heldBy(`${ENDED} ${HERE} 1`, 0)
  const order: string[] = []
  const work = (name: string) => async () => {
    expect([lstatSync(lock).mode & 0o777, readFileSync(lock, 'utf8').split(' ').slice(0, 2)]).toEqual([0o600, [`${process.pid}`, HERE]]) // prettier-ignore
    order.push(`${name} begins`)
    await Promise.resolve()
    order.push(`${name} ends`)
  }
  patience = 0
  await Promise.all([oneAtATime(lock, 'Busy.', work('one')), oneAtATime(lock, 'Busy.', work('two'))])
  expect(order).toEqual(['one begins', 'one ends', 'two begins', 'two ends'])
})
