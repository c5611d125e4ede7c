import type { RecoveryTarget } from '../../protocol/failures.js'
import type { Capability } from '../../protocol/manifest.js'

/** Part of a resolution: what to call to recover, where the manifest names it (decisions, section 21). */
type Recovery = { readonly recovery_target?: RecoveryTarget }

/** Recovery of a binding that is missing or not valid: its source, or what refreshes it; then the same call, with it. */
export const byNewBinding = (source: string | undefined, { refresh_via = [] }: Capability): Recovery =>
  toward(source ?? refresh_via[0], true)

/** Recovery of an unknown outcome: the capability that finds out. */
export const byVerifying = (capability: Capability | undefined): Recovery => toward(capability?.verify_via?.[0], false)

const toward = (capability: string | undefined, retry_after_recovery: boolean): Recovery =>
  capability === undefined ? {} : { recovery_target: { capability, retry_after_recovery } }
