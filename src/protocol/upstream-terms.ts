import type { Capability } from './manifest.js'

/** `x-upstream` of a capability: how calls of a service behind are made and judged (decisions, sections 19 and 23). */
export interface UpstreamTerms {
  /** Handling of a read whose response deviates from its description; loose by default. */
  readonly answers?: 'loose' | 'strict'
  /** Inputs in a path that may hold slashes. */
  readonly slashes?: readonly string[]
  /** Upstream system at which the call uses the account of the root principal (decisions, section 19). */
  readonly connection?: string
}

export const upstreamTermsOf = ({ extensions }: Pick<Capability, 'extensions'>): UpstreamTerms | undefined =>
  extensions?.['x-upstream'] as UpstreamTerms | undefined

/** Holds when a result may lack members: what a service behind answered otherwise than described is left out of it. */
export function resultMayLackMembers({
  extensions,
  side_effect,
}: Pick<Capability, 'extensions' | 'side_effect'>): boolean {
  const terms = upstreamTermsOf({ extensions } as Pick<Capability, 'extensions'>)
  return terms !== undefined && (side_effect.type !== 'read' || terms.answers !== 'strict')
}
