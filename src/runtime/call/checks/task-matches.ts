import { failure } from '../../../protocol/failures.js'
import type { CallFacts } from '../facts/facts.js'
import type { Check } from './check.js'

/** The task of the call is that of the token, or is left out (section 4.4, rule 4). */
export const taskMatches: Check<CallFacts> = ({ request, token }) => {
  const bound = token.claims.purpose.task_id
  if (bound === undefined || request.task_id === undefined || request.task_id === bound) return undefined
  return failure('purpose_mismatch', 'The token is bound to another task than the call.')
}
