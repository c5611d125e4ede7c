import type { Fact } from './facts.js'
import type { ArtefactKind } from './kinds.js'

/** Result of verifying an artefact. */
export interface Verdict {
  readonly kind: ArtefactKind
  /** Facts: signer, time, key, contents and counts. */
  readonly facts: readonly Fact[]
  /** Everything that does not hold, as full sentences; empty when the artefact is verified. */
  readonly findings: readonly string[]
}
