import { FIELD_NAME } from '../../../protocol/identifiers.js'
import type { CapabilityView, InputView, StepView } from '../rule.js'
import { hasAllItems, isWhole, itemAt } from '../../shape/view.js'
import type { Span } from '../../parse/tree.js'
import { remembered } from './remembered.js'

/** The inputs by name; undefined if one could not be read, so that nobody calls a name unknown. */
export function inputsOf({ inputs }: CapabilityView): ReadonlyMap<string, InputView> | undefined {
  if (inputs === undefined || !hasAllItems(inputs)) return undefined
  const named = new Map<string, InputView>()
  for (const input of inputs) {
    if (input.name === undefined) return undefined
    if (!named.has(input.name)) named.set(input.name, input)
  }
  return named
}

/** The name of an output field in either spelling. */
export const fieldName = (field: unknown): string | undefined =>
  typeof field === 'string' ? field : (field as { readonly name?: string }).name

/** The output field names; undefined if one could not be read. */
export function outputNames({ output }: CapabilityView): readonly string[] | undefined {
  const fields = output?.fields
  if (fields === undefined || !hasAllItems(fields)) return undefined
  const names = fields.map(fieldName)
  return names.every((name) => name !== undefined) ? names : undefined
}

/** The output fields with the places of their names. */
export function outputFieldSpans({
  output,
}: CapabilityView): readonly { readonly name: string; readonly span: Span }[] {
  const fields = output?.fields
  if (fields === undefined) return []
  return fields.flatMap((field, index) => {
    const name = fieldName(field)
    return name === undefined ? [] : [{ name, span: itemAt(fields, index) }]
  })
}

/** The steps by id; undefined if one could not be read. */
export const stepsOf = remembered(({ composition }: CapabilityView): ReadonlyMap<string, StepView> | undefined => {
  const steps = composition?.steps
  if (steps === undefined || steps.length === 0 || !hasAllItems(steps)) return undefined
  const named = new Map<string, StepView>()
  for (const step of steps) {
    if (step.id === undefined || !FIELD_NAME.test(step.id) || !isWhole(step)) return undefined
    if (!named.has(step.id)) named.set(step.id, step)
  }
  return named
})
