import type { AnswerDeviation } from '../../../protocol/invocation.js'
import type { Json, JsonObject } from '../../../protocol/manifest.js'
import { answeredOf } from '../../json/answered-upstream.js'
import { membersBy } from '../../json/members-by.js'
import { textCopy } from '../../json/plain-copy.js'
import { fitted } from './fitted.js'
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

/** A result, and what of it the service behind answered otherwise than it is described. */
export interface Judged {
  readonly result: JsonObject
  readonly deviations: readonly AnswerDeviation[] | undefined
}

/**
 * Judges a handler's result: an upstream response keeps what fits the declaration; any other result must match it
 * exactly.
 */
export function judgedResult(service: Service, name: string, returned: unknown): Judged {
  const answered = answeredOf(returned)
  if (answered === undefined) return { result: resultOf(service, name, returned), deviations: undefined }
  const plain = textCopy(returned, service.limits.resultBytes) as { [field: string]: Json }
  const deviations = fitted(service.validators[name]!.output, plain, answered)
  const { fields } = service.capabilities.get(name)!.output
  const kept = fields.filter((field) => Object.hasOwn(plain, field.name))
  const result = membersBy(kept, (field) => field.name, (field) => plain[field.name]!) // prettier-ignore
  return { result, deviations: deviations.length === 0 ? undefined : deviations }
}

/** The declared fields of what a composition gives; null where no step gave a value (section 2.8). */
export function composedResultOf(service: Service, name: string, values: JsonObject): JsonObject {
  const { fields } = service.capabilities.get(name)!.output
  const absent = Object.fromEntries(fields.map((field) => [field.name, null]))
  return resultOf(service, name, { ...absent, ...values })
}
