import type { JsonObject } from '../../../protocol/manifest.js'
import { membersBy } from '../../json/members-by.js'
import { textCopy } from '../../json/plain-copy.js'
import type { Service } from '../../service.js'

/** The declared fields of what a handler returned, as plain JSON. Throws for what is not the contract. */
export function resultOf(service: Service, name: string, returned: unknown): JsonObject {
  const capability = service.capabilities.get(name)!
  const plain = textCopy(returned, service.limits.resultBytes)
  const [problem] = service.validators[name]!.output(plain)
  if (problem !== undefined) throw new TypeError(`The result of ${name} is wrong: ${problem.path} ${problem.message}`)
  const members = plain as JsonObject
  return membersBy(
    capability.output.fields,
    ({ name }) => name,
    ({ name }) => members[name]!,
  )
}

/** The declared fields of what a composition gives; null where no step gave a value (section 2.8). */
export function composedResultOf(service: Service, name: string, values: JsonObject): JsonObject {
  const { fields } = service.capabilities.get(name)!.output
  const absent = Object.fromEntries(fields.map((field) => [field.name, null]))
  return resultOf(service, name, { ...absent, ...values })
}
