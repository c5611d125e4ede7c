/** A run of the tests ends, whatever waits in it: after TEST_LIMIT_MINUTES, 40 by default, with the processes that it started. */
import { spawnSync } from 'node:child_process'
import { limitInMinutes } from './takes-hours.js'

const MINUTES = limitInMinutes('TEST_LIMIT_MINUTES', 40)

export function setup(): () => void {
  const timer = setTimeout(() => {
    console.error(
      `The tests have run for ${MINUTES} minutes: something waits for ever. TEST_LIMIT_MINUTES sets the limit.`,
    )
    spawnSync('pkill', ['-KILL', '-P', String(process.pid)], { timeout: 5_000 })
    process.exit(1)
  }, MINUTES * 60_000)
  timer.unref()
  return () => clearTimeout(timer)
}
