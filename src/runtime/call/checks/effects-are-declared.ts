import { failure } from '../../../protocol/failures.js'
import type { CallFacts } from '../facts/facts.js'
import type { Check } from './check.js'

/** The capability produces every effect that the call asks for (decisions, section 21). */
export const effectsAreDeclared: Check<CallFacts> = ({ capability, request, name }) => {
  const produced = capability.business_effects?.produces ?? []
  const missing = request.requested_effects?.filter((effect) => !produced.includes(effect)) ?? []
  if (missing.length === 0) return undefined
  const known = produced.length === 0 ? 'It declares none' : `It produces ${produced.join(', ')}`
  const asked = missing.map((effect) => JSON.stringify(effect.slice(0, 40))).join(', ')
  return failure('invalid_parameters', `${name} does not produce ${asked}. ${known}.`)
}
