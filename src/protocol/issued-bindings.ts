import type { BindingRequirement } from './manifest.js'

/**
 * Holds when a capability may issue what another one requires: it is the source, or no source is named and it is not
 * the consumer itself (section 2.4).
 */
export const isIssuedBy = (
  name: string,
  consumer: string,
  { source_capability }: Pick<BindingRequirement, 'source_capability'>,
): boolean => (source_capability === undefined ? consumer !== name : source_capability === name)
