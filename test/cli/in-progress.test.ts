import { afterEach, expect, it, vi } from 'vitest'
import { inProgress } from '../../src/cli/shared/output/in-progress.js'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it.each([
  [true, 1_001, ['bundling …\n']],
  [true, 999, []],
  [false, 1_001, []],
])('on a terminal: %s, after %d ms it has said %j', async (isTTY, ms, said) => {
  vi.useFakeTimers()
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const before = process.stderr.isTTY
  process.stderr.isTTY = isTTY
  try {
    const done = inProgress('bundling', () => new Promise<number>((end) => setTimeout(() => end(7), ms)))
    await vi.advanceTimersByTimeAsync(ms)
    expect([await done, written.mock.calls.map(([text]) => text)]).toEqual([7, said])
  } finally {
    process.stderr.isTTY = before
  }
})
