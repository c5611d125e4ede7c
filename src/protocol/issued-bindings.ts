import type { BindingRequirement, Capability } from './manifest.js'

/**
 * Holds when a capability may issue what another one requires: it is the source, or no source is named and it is not
 * the consumer itself (section 2.4).
 */
export const isIssuedBy = (
  name: string,
  consumer: string,
  { source_capability }: Pick<BindingRequirement, 'source_capability'>,
): boolean => (source_capability === undefined ? consumer !== name : source_capability === name)

/** Holds when one binding alone fixes what a call costs: without a price in it, no budget covers the call (section 4.6). */
export const isPricedByBinding = ({ cost, requires_binding }: Pick<Capability, 'cost' | 'requires_binding'>): boolean =>
  cost?.certainty === 'estimated' && cost.financial !== undefined && requires_binding?.length === 1
