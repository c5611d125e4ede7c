import { ROOT } from '../../place.js'

/** The page of a capability. */
export const capabilityHref = (name: string): string => `${ROOT}/capabilities/${name}`
