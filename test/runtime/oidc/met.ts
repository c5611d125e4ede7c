import { alarms } from '../../../src/runtime/telemetry/alarms.js'
import { DEFAULT_LIMITS } from '../../../src/runtime/limits.js'

/** Everything that a provider is met with, by a clock; what is logged goes nowhere. */
export function metAt(now: () => number) {
  const quiet = () => undefined
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet }
  return { now, limits: DEFAULT_LIMITS, log, alarms: alarms(), timeoutMs: 1000 }
}
