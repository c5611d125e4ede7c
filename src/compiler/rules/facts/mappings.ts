import type { Span } from '../../parse/tree.js'
import { partsOfPath } from '../../shape/formats.js'
import { at, isAbsent, isWhole, keyOf, type ViewObject } from '../../shape/view.js'
import type { CapabilityFacts, CapabilityView, InputView, StepView, RuleContext } from '../rule.js'
import { mustBeSupplied } from './defaults.js'
import { literalNames } from './literals.js'
import { inputsOf, stepsOf } from './names.js'
import { remembered } from './remembered.js'

/** Source of a mapped value. */
export type MappingSource =
  | { readonly kind: 'input'; readonly input: string }
  | { readonly kind: 'step'; readonly step: string; readonly field: string }

export interface Mapping {
  /** The step whose input it sets; undefined for the parent's output. */
  readonly step?: string
  readonly target: string
  readonly keySpan: Span
  readonly value: unknown
  readonly span: Span
  /** Undefined if the value is no path. */
  readonly source?: MappingSource
}

/** Parses a path; undefined for an invalid one [2.8]. */
export function sourceOf(path: unknown): MappingSource | undefined {
  const match = typeof path === 'string' ? partsOfPath(path) : null
  if (match === null) return undefined
  const [, input, step, field] = match
  return input === undefined ? { kind: 'step', step: step!, field: field! } : { kind: 'input', input }
}

type EmptyOutput = NonNullable<CapabilityView['composition']>['empty_result_output']

/** Returns the output of an empty result; undefined if the policy does not allow one: SVC4203 reports that. */
export function emptyOutputOf({ composition }: CapabilityView): EmptyOutput {
  const policy = composition?.empty_result_policy
  return policy === 'clarify' || policy === 'deny' ? undefined : composition?.empty_result_output
}

/** Every path of a composition, those of the output of an empty result among them. */
export const pathsOf = remembered((capability: CapabilityView): readonly Mapping[] => [
  ...mappingsOf(capability),
  ...mapped(emptyOutputOf(capability), undefined).filter(({ source }) => source !== undefined),
])

/** The steps whose output a path of the composition reads, and what is written in the place of a path and is none. */
export const stepsRead = remembered((capability: CapabilityView) => ({
  steps: new Set(pathsOf(capability).flatMap(({ source }) => (source?.kind === 'step' ? [source.step] : []))),
  others: pathsOf(capability)
    .filter(({ source }) => source === undefined)
    .map(({ value }) => String(value)),
}))

/** Path features that are not supported: filters, wildcards, indexes, recursion, deeper access. */
export const FEATURE = /^\$(?:\.\.|.*[[\]*?@(]|\.input\.\w+\.|\.steps\.\w+\.output\.\w+\.)/u

/** Every mapping of a composition: those into steps, then those into the output. */
export const mappingsOf = remembered(({ composition }: CapabilityView): readonly Mapping[] => {
  if (composition === undefined) return []
  const { input_mapping, output_mapping } = composition
  return [
    ...Object.entries(input_mapping ?? {}).flatMap(([step, inputs]) => mapped(inputs, step)),
    ...mapped(output_mapping, undefined),
  ]
})

type Paths = ViewObject<{ readonly [target: string]: unknown }>

function mapped(part: Paths | undefined, step: string | undefined): readonly Mapping[] {
  if (part === undefined) return []
  return Object.entries(part).map(([target, value]) => {
    const source = sourceOf(value)
    return {
      ...(step === undefined ? {} : { step }),
      target,
      value,
      keySpan: keyOf(part, target),
      span: at(part, target),
      ...(source === undefined ? {} : { source }),
    }
  })
}

/** The capability that a step invokes, if it is declared and valid. */
export const childOf = (context: RuleContext, step: StepView | undefined): CapabilityView | undefined =>
  step?.capability === undefined ? undefined : context.capabilities.get(step.capability)

/** A parent input that feeds an input of a step. */
export interface FedInput {
  readonly step: string
  readonly target: string
  readonly span: Span
  readonly from: InputView
  readonly to: InputView
}

/** Each parent input with the child input that it feeds, where both are declared. */
export function* fedInputs(facts: CapabilityFacts): Generator<FedInput> {
  const parents = inputsOf(facts.capability)
  const steps = stepsOf(facts.capability)
  for (const { step, target, source, span } of mappingsOf(facts.capability)) {
    if (step === undefined || source?.kind !== 'input') continue
    const child = childOf(facts, steps?.get(step))
    const to = child === undefined ? undefined : inputsOf(child)?.get(target)
    const from = parents?.get(source.input)
    if (from !== undefined && to !== undefined) yield { step, target, span, from, to }
  }
}

/** The required inputs of a step that nothing supplies, where that can be told. */
export function unmappedInputs({ capability, ...context }: CapabilityFacts, step: StepView): readonly InputView[] {
  const mapping = capability.composition?.input_mapping
  const child = childOf(context, step)
  const inputs = child === undefined ? undefined : inputsOf(child)
  if (inputs === undefined || child?.kind === 'composed' || step.id === undefined || mapping === undefined) return []
  const mapped = mapping[step.id]
  if (mapped === undefined && (!isAbsent(mapping, step.id) || namesUnknownStep(capability))) return []
  if (mapped !== undefined && (!isWhole(mapped) || Object.keys(mapped).some((name) => !inputs.has(name)))) return []
  const literals = literalNames(capability, step.id)
  if (literals === undefined || [...literals].some((name) => !inputs.has(name))) return []
  return [...inputs.values()].filter(
    (input) => mustBeSupplied(input) && mapped?.[input.name!] === undefined && !literals.has(input.name!),
  )
}

const namesUnknownStep = remembered((capability: CapabilityView): boolean => {
  const steps = stepsOf(capability)
  return Object.keys(capability.composition?.input_mapping ?? {}).some((id) => steps?.has(id) !== true)
})

/** Checks whether every path reads a step that exists and has run by then. */
export const readsInOrder = remembered((capability: CapabilityView): boolean => {
  const places = new Map([...(stepsOf(capability)?.keys() ?? [])].map((id, place) => [id, place]))
  return mappingsOf(capability).every(({ step, source }) => {
    if (source?.kind !== 'step') return true
    const place = places.get(source.step)
    return place !== undefined && (step === undefined || place < (places.get(step) ?? -1))
  })
})
