import type { Fact } from './facts.js'
import type { ArtefactKind } from './kinds.js'

/** What was found about an artefact. */
export interface Verdict {
  readonly kind: ArtefactKind
  /** Who signed, when, with which key; what the artefact says, and what was counted. */
  readonly facts: readonly Fact[]
  /** Everything that does not hold, as full sentences; empty when the artefact is verified. */
  readonly findings: readonly string[]
}
