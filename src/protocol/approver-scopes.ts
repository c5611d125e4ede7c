/** The scopes by which somebody decides about approvals (decisions, section 10). */
import type { Capability } from './manifest.js'

/** Returns the scopes of all tiers, once each; nobody has one by default. */
export const tierScopes = (capabilities: {
  readonly [name: string]: Pick<Capability, 'approval'>
}): readonly string[] => [
  ...new Set(
    Object.values(capabilities).flatMap(({ approval }) =>
      (approval?.tiers ?? []).map(({ approver_scope }) => approver_scope),
    ),
  ),
]
