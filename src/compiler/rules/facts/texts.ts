import type { Span } from '../../parse/tree.js'
import { at, itemAt } from '../../shape/view.js'
import type { CapabilityView } from '../rule.js'

export interface Prose {
  readonly text: string
  readonly span: Span
}

/** Returns the texts of a capability that people and agents read: descriptions, labels, reasons. */
export function textsOf(capability: CapabilityView): readonly Prose[] {
  if (last.capability !== capability) last = { capability, texts: collect(capability) }
  return last.texts
}

/** Several rules ask for the texts of one capability in turn. */
let last: { readonly capability?: CapabilityView; readonly texts: readonly Prose[] } = { texts: [] }

function collect(capability: CapabilityView): readonly Prose[] {
  const found: Prose[] = []
  const add = (part: Parameters<typeof at>[0] & { readonly description?: string }): void => {
    if (part.description !== undefined) found.push({ text: part.description, span: at(part, 'description') })
  }
  add(capability)
  for (const input of capability.inputs ?? []) add(input)
  const fields = capability.output?.fields ?? []
  for (const field of fields) if (typeof field === 'object') add(field)
  for (const each of capability.requires ?? [])
    if (each.reason !== undefined) found.push({ text: each.reason, span: at(each, 'reason') })
  const effects = [capability.business_effects?.produces, capability.business_effects?.does_not_produce]
  for (const list of effects)
    for (const [index, text] of (list ?? []).entries()) found.push({ text, span: itemAt(list!, index) })
  return found
}
