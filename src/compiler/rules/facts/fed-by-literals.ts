import type { CapabilityFacts, InputView } from '../rule.js'
import { literalsOf, type Literal } from './literals.js'
import { childOf } from './mappings.js'
import { inputsOf, stepsOf } from './names.js'

/** Each literal with the child input that it feeds, where that is declared. */
export function* fedByLiterals(facts: CapabilityFacts): Generator<Literal & { readonly to: InputView }> {
  const steps = stepsOf(facts.capability)
  for (const literal of literalsOf(facts.capability)) {
    const child = childOf(facts, steps?.get(literal.step))
    const to = child === undefined ? undefined : inputsOf(child)?.get(literal.target)
    if (to !== undefined) yield { ...literal, to }
  }
}
