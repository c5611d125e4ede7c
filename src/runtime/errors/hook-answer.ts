import { failure } from '../../protocol/failures.js'
import { Refusal } from './refusal.js'
import type { RuntimeLimits } from '../limits.js'

/** What a hook answers, if it does so in time: whoever calls is answered in time, too (decisions, section 9). */
export const hookAnswer = <Value>(
  { limits }: { readonly limits: Pick<RuntimeLimits, 'hookTimeoutMs'> },
  ask: () => Value | Promise<Value>,
): Promise<Value> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(tooLate()), limits.hookTimeoutMs)
    Promise.resolve()
      .then(ask)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })

const tooLate = (): Refusal => new Refusal(failure('service_unavailable', 'A hook of this service took too long.'))
