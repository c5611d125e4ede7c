import { ROOT } from '../../router.js'

/** The page of a capability. */
export const capabilityHref = (name: string): string => `${ROOT}/capabilities/${name}`
