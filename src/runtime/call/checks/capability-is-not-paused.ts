import { failure } from '../../../protocol/failures.js'
import { pausedDetail } from '../../../protocol/operator.js'
import type { CallFacts } from '../facts/facts.js'
import type { Check } from './check.js'

/** No operator has paused the capability, or a step of it; permissions do not show it (decisions, section 13). */
export const capabilityIsNotPaused: Check<CallFacts> = ({ name, isPaused }) =>
  isPaused === true ? failure('service_unavailable', pausedDetail(name)) : undefined
