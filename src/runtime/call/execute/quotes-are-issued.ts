import type { JsonObject } from '../../../protocol/manifest.js'
import type { Service } from '../../service.js'
import type { Invocation } from '../invocation.js'
import type { Issuing } from './issue-binding.js'

/**
 * Warns of an id that a handler returned where a binding is expected of it, and never issued: its caller would read
 * `binding_stale` of each of them. Where a hook knows bindings of elsewhere, nobody can tell (decisions, section 4).
 */
export async function warnOfUnissued(
  service: Service,
  { id: invocation_id, name }: Invocation,
  result: JsonObject,
  { issued }: Issuing,
): Promise<void> {
  if (service.implementation.resolveBinding !== undefined) return
  for (const { field, consumer } of quotedFieldsOf(service, name)) {
    const id = result[field]
    if (typeof id !== 'string' || issued.has(id) || (await service.storage.bindings.get(id)) !== undefined) continue
    service.log.warn(
      `${name} returned a ${field} that it did not issue, so ${consumer} will refuse it (binding_stale). Issue it: ` +
        'bindings.issue in the context of the handler gives an id.',
      { invocation_id },
    )
  }
}

interface QuotedField {
  readonly field: string
  readonly consumer: string
}

const known = new WeakMap<Service['capabilities'], ReadonlyMap<string, readonly QuotedField[]>>()

/** The output fields of a capability that have the name of an input which takes its bindings. */
function quotedFieldsOf({ capabilities }: Service, name: string): readonly QuotedField[] {
  const all = known.get(capabilities) ?? quotedFields(capabilities)
  known.set(capabilities, all)
  return all.get(name) ?? []
}

function quotedFields(capabilities: Service['capabilities']): ReadonlyMap<string, readonly QuotedField[]> {
  const found = new Map<string, readonly QuotedField[]>()
  for (const [consumer, { requires_binding = [] }] of capabilities)
    for (const { source_capability: source, field } of requires_binding) {
      const isReturned = capabilities.get(source ?? '')?.output.fields.some(({ name }) => name === field) === true
      if (isReturned) found.set(source!, [...(found.get(source!) ?? []), { field, consumer }])
    }
  return found
}
