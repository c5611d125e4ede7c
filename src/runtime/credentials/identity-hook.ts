import type { Json } from '../../protocol/manifest.js'
import type { Log } from '../definition.js'
import { reasonOf } from '../errors/reason.js'
import { settledWithin } from '../errors/settled-within.js'
import { plainCopy } from '../json/plain-copy.js'

export interface HookBounds {
  readonly timeoutMs: number
  readonly log: Log
}

/**
 * A copy of what a hook says of a credential: judged and used are one reading (decisions, section 20). Undefined where
 * it fails, takes too long, or gives no plain value, which its author finds in the log.
 */
export function askedOfHook(
  name: string,
  ask: () => unknown,
  { timeoutMs, log }: HookBounds,
): Promise<Json | undefined> {
  const copied = (answer: unknown): Promise<Json | undefined> =>
    Promise.resolve(answer)
      .then(plainCopy)
      .catch((error: unknown) => {
        log.warn(`The hook ${name} gave no plain value, so the credential is unknown.`, { error: reasonOf(error) })
        return undefined
      })
  return settledWithin(Promise.resolve().then(ask).then(copied), timeoutMs)
}
