import type { Json, JsonObject } from '../../../protocol/manifest.js'
import type { Span } from '../../parse/tree.js'
import { at, isAbsent, isWhole, keyOf, type View } from '../../shape/view.js'
import type { CapabilityView } from '../rule.js'

/** A value that a composition gives to an input of a step. */
export interface Literal {
  readonly step: string
  readonly target: string
  readonly keySpan: Span
  readonly value: Json
  readonly span: Span
}

type StepLiterals = View<JsonObject>

/** Every literal of a composition, in the order of the text. */
export const literalsOf = ({ composition }: CapabilityView): readonly Literal[] =>
  Object.entries(composition?.['x-literals'] ?? {}).flatMap(([step, inputs]) =>
    inputs === undefined ? [] : literalsOfStep(step, inputs),
  )

const literalsOfStep = (step: string, inputs: StepLiterals): readonly Literal[] =>
  Object.entries(inputs).map(([target, value]) => ({
    step,
    target,
    value,
    keySpan: keyOf(inputs, target),
    span: at(inputs, target),
  }))

/** The names that literals feed in a step; undefined where that cannot be told. */
export function literalNames({ composition }: CapabilityView, step: string): ReadonlySet<string> | undefined {
  const literals = composition?.['x-literals']
  if (literals === undefined)
    return composition === undefined || isAbsent(composition, 'x-literals') ? new Set() : undefined
  const ofStep = literals[step]
  if (ofStep === undefined) return isAbsent(literals, step) ? new Set() : undefined
  return isWhole(ofStep) ? new Set(Object.keys(ofStep)) : undefined
}
