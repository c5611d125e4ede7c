import { failure } from '../../protocol/failures.js'
import type { Json } from '../../protocol/manifest.js'
import { plainCopy } from '../json/plain-copy.js'
import { Refusal } from './refusal.js'
import type { RuntimeLimits } from '../limits.js'

/**
 * A copy of what a hook answers, if it does so in time: whoever calls is answered in time, too (decisions, sections 9
 * and 20). Rejects where the answer is no plain value.
 */
export const hookAnswer = (
  { limits }: { readonly limits: Pick<RuntimeLimits, 'hookTimeoutMs'> },
  ask: () => unknown,
): Promise<Json | undefined> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(tooLate()), limits.hookTimeoutMs)
    Promise.resolve()
      .then(ask)
      .then(plainCopy)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })

const tooLate = (): Refusal => new Refusal(failure('service_unavailable', 'A hook of this service took too long.'))
