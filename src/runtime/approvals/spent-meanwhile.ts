import { failure, type Failure } from '../../protocol/failures.js'

/**
 * The answer to a call that an identical one is ahead of: to be made again, and never a new request (decisions, section
 * 10).
 */
export const spentMeanwhile = (): Failure =>
  failure('concurrent_request_rejected', 'The grant of this call is being spent by an identical call.')
