import { failure } from '../../../protocol/failures.js'
import { byNewBinding } from '../recovery-target.js'
import type { CallFacts } from '../facts/facts.js'
import type { Check } from './check.js'

/** Every input that must carry a binding is there (section 7, binding_missing). */
export const bindingFieldsArePresent: Check<CallFacts> = ({ capability, request }) => {
  const required = capability.requires_binding ?? []
  const missing = required.filter(
    ({ field }) => !Object.hasOwn(request.parameters, field) || request.parameters[field] === null,
  )
  const [first] = missing
  if (first === undefined) return undefined
  const source = first.source_capability === undefined ? '' : ` Obtain one from ${first.source_capability}.`
  return failure('binding_missing', `The parameter ${first.field} must carry a ${first.type} binding.${source}`, {
    requires: missing.map(({ field }) => field).join(', '),
    ...byNewBinding(first.source_capability, capability),
  })
}
