import type { Capability } from '../../../protocol/manifest.js'
import type { TokenFacts } from '../facts/facts.js'
import { firstFailure } from './index.js'
import { principalMayCall } from './principal-may-call.js'

/**
 * The facts that decide whether a token may call: those of the call itself or, where it holds for that, of the first
 * step of a composition that it does not cover. Steps run under the caller's authority (decisions, section 4).
 */
export function decidingFacts(capabilities: ReadonlyMap<string, Capability>, call: TokenFacts): TokenFacts {
  if (call.capability.composition === undefined || fails(call)) return call
  return stepsOf(capabilities, call).find(fails) ?? call
}

/**
 * The facts of a call that no token of a delegate can reach, or of the first such step; undefined where there is none.
 */
export const undelegableFacts = (
  capabilities: ReadonlyMap<string, Capability>,
  call: TokenFacts,
): TokenFacts | undefined =>
  [call, ...stepsOf(capabilities, call)].find((facts) => principalMayCall(facts) !== undefined)

const stepsOf = (
  capabilities: ReadonlyMap<string, Capability>,
  { capability: { composition }, token, name: composedBy }: TokenFacts,
) =>
  (composition?.steps ?? []).map((step) => ({
    name: step.capability,
    capability: capabilities.get(step.capability)!,
    token,
    composedBy,
  }))

const fails = (facts: TokenFacts): boolean => firstFailure('token', facts) !== undefined
