import { tmpdir } from 'node:os'
import { expect, it, vi } from 'vitest'
import { changedSince, state } from './nothing-left.js'

const home = process.cwd()
const listener = () => undefined

it.each<readonly [string, () => unknown, () => unknown]>([
  ['folder', () => process.chdir(tmpdir()), () => process.chdir(home)],
  ['exit code', () => (process.exitCode = 2), () => (process.exitCode = undefined)],
  ['environment SVC_LEFT', () => vi.stubEnv('SVC_LEFT', '1'), () => vi.unstubAllEnvs()],
  ['global Date', () => vi.useFakeTimers({ toFake: ['Date'] }), () => vi.useRealTimers()],
  ['global fetch', () => vi.stubGlobal('fetch', listener), () => vi.unstubAllGlobals()],
  ['listeners SIGUSR2', () => process.on('SIGUSR2', listener), () => process.off('SIGUSR2', listener)],
])('a file that leaves a %s fails', (name, leave, putBack) => {
  const before = state()
  leave()
  const left = changedSince(before)
  putBack()
  expect([left, changedSince(before)]).toEqual([[name], []])
})
