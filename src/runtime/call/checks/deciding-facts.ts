import type { Capability } from '../../../protocol/manifest.js'
import type { TokenFacts } from '../facts/facts.js'
import { firstFailure } from './index.js'

/**
 * The facts that decide whether a token may call: those of the call itself or, where it holds for that, of the first
 * step of a composition that it does not cover. Steps run under the caller's authority (decisions, section 4).
 */
export function decidingFacts(capabilities: ReadonlyMap<string, Capability>, call: TokenFacts): TokenFacts {
  if (call.capability.composition === undefined || fails(call)) return call
  return stepsOf(capabilities, call).find(fails) ?? call
}

/** Returns the capabilities of a composition's steps; undefined for an atomic one. */
export const stepCapabilitiesOf = (
  capabilities: ReadonlyMap<string, Capability>,
  { composition }: Capability,
): readonly Capability[] | undefined => composition?.steps.map((step) => capabilities.get(step.capability)!)

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
