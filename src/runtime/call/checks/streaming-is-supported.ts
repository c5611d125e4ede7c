import { failure } from '../../../protocol/failures.js'
import type { CallFacts } from '../facts/facts.js'
import type { Check } from './check.js'

/**
 * A stream is asked for only where the capability streams; a capability that only streams is asked for a stream
 * (section 2.4).
 */
export const streamingIsSupported: Check<CallFacts> = ({ name, capability, request, composedBy }) => {
  const mode = request.stream === true ? 'streaming' : 'unary'
  if (composedBy !== undefined || capability.response_modes.includes(mode)) return undefined
  return failure(
    'streaming_not_supported',
    `The capability ${name} answers ${capability.response_modes.join(' or ')} only.`,
  )
}
