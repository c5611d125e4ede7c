import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

it('a nested input of twenty fields costs a call at most 10 µs more, as the benchmark measures it', () => {
  const { NODE_OPTIONS: _, ...env } = process.env
  const printed = execFileSync(process.execPath, ['bench/run.js', 'values'], { encoding: 'utf8', env })
  const taken = [...printed.matchAll(/: ([\d.]+) µs more a call/gu)].map(([, microseconds]) => Number(microseconds))
  expect(taken.length).toBe(2)
  expect(taken[0]).toBeLessThan(10)
})
