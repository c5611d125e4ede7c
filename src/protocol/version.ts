/** The protocol version of this implementation (section 9.1). */
export const PROTOCOL_VERSION = '0.24.0'

/** Version of a service whose package does not have one. */
export const UNVERSIONED = '0.0.0'

/** Field or feature of a capability declaration -> protocol version that brought it (section 9.3). */
export const INTRODUCED_IN = {
  control_requirements: '0.14.0',
  budget: '0.14.0',
  cross_service: '0.19.0',
  cross_service_contract: '0.21.0',
  composition: '0.23.0',
  approval: '0.23.0',
  resolution: '0.24.0',
  semantic_type: '0.24.0',
} as const satisfies { readonly [field: string]: `${number}.${number}.${number}` }
