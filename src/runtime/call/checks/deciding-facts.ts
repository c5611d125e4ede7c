import type { Capability } from '../../../protocol/manifest.js'
import type { TokenFacts } from '../facts/facts.js'
import { firstFailure } from './index.js'

/**
 * The facts that decide whether a token may call: those of the call itself or, where it holds for that, of the first step of a
 * composition that it does not cover. Steps run under the caller's authority (decisions, section 4).
 */
export function decidingFacts(capabilities: ReadonlyMap<string, Capability>, call: TokenFacts): TokenFacts {
  const { capability, token, name: composedBy } = call
  if (capability.composition === undefined || fails(call)) return call
  const steps = capability.composition.steps.map(({ capability: name }) => ({
    name,
    capability: capabilities.get(name)!,
    token,
    composedBy,
  }))
  return steps.find(fails) ?? call
}

const fails = (facts: TokenFacts): boolean => firstFailure('token', facts) !== undefined
