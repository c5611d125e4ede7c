import { LONGEST_MS } from '../../protocol/durations.js'
import type { Limits } from '../../protocol/manifest.js'
import type { TokenRequest } from '../../protocol/token.js'
import { refuse } from '../errors/refusal.js'

/** Returns the expiry of a token requested at `now`; both in s. */
export function expiryOf(limits: Limits, { ttl_hours }: TokenRequest, now: number): number {
  const hours = ttl_hours ?? limits.default_ttl_hours
  if (hours > limits.max_ttl_hours)
    refuse('invalid_parameters', `The member ttl_hours may be ${limits.max_ttl_hours} at most.`)
  return now + Math.floor(Math.min(hours * 3600, LONGEST_MS / 1000))
}
