import { BUSINESS_FAILURE_STATUS } from './failures.js'
import type { Capability, Json } from './manifest.js'

/**
 * A failure of the business that a handler may raise: declared under `x-failures`, name -> description, or name ->
 * both.
 */
export interface BusinessFailure {
  readonly type: string
  /** Empty where none is given. */
  readonly description: string
  /** The 4xx status that it is answered with. */
  readonly status: number
}

/** The declared failures of a capability, by name. What is not declared as it should be counts as not given. */
export function businessFailuresOf({ extensions }: Capability): readonly BusinessFailure[] {
  const declared = extensions?.['x-failures']
  if (!isMap(declared)) return []
  return Object.entries(declared)
    .map(([type, given]) => ({ type, ...membersOf(given) }))
    .sort((a, b) => (a.type < b.type ? -1 : 1))
}

function membersOf(given: Json): Omit<BusinessFailure, 'type'> {
  const { description, status } = isMap(given) ? given : { description: given }
  return {
    description: typeof description === 'string' ? description : '',
    status: typeof status === 'number' ? status : BUSINESS_FAILURE_STATUS,
  }
}

/** Whether a JSON value has members. */
export const isMap = (value: Json | undefined): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
