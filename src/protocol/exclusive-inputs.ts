import type { Capability } from './manifest.js'

/** The inputs by whose values calls of a capability exclude each other; none where they do not. */
export const exclusiveInputs = ({ extensions }: Pick<Capability, 'extensions'>): readonly string[] =>
  (extensions?.['x-exclusive-by'] ?? []) as readonly string[]
