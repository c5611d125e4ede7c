import type { Capability, Json } from '../../protocol/manifest.js'
import { FAILURES } from '../../protocol/failures.js'

/** A failure of the business that a handler may raise: declared under `x-failures`, name -> description. */
export interface BusinessFailure {
  readonly type: string
  readonly description: string
}

const FAILURE_NAME = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/u

const isMap = (value: Json | undefined): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Why a declared failure name cannot be used; undefined when it can. */
export function wrongFailureName(name: string): string | undefined {
  if (!FAILURE_NAME.test(name)) return 'must be lower-case words joined by _'
  return Object.hasOwn(FAILURES, name) ? 'is a failure of the service interface itself' : undefined
}

/** Whether failures are declared otherwise than by a mapping of names to descriptions. */
export function isWrongDeclaration({ extensions }: Capability): boolean {
  const declared = extensions?.['x-failures']
  return declared !== undefined && declared !== null && !isMap(declared)
}

/** The declared names whose descriptions are no texts. A name without one stands for itself. */
export function wronglyDescribed({ extensions }: Capability): readonly string[] {
  const declared = extensions?.['x-failures']
  if (!isMap(declared)) return []
  return Object.keys(declared).filter((type) => declared[type] !== null && typeof declared[type] !== 'string')
}

/** The declared failures of a capability, by name; where none is described, the description is empty. */
export function businessFailuresOf({ extensions }: Capability): readonly BusinessFailure[] {
  const declared = extensions?.['x-failures']
  if (!isMap(declared)) return []
  return Object.entries(declared)
    .map(([type, description]) => ({ type, description: typeof description === 'string' ? description : '' }))
    .sort((a, b) => (a.type < b.type ? -1 : 1))
}
