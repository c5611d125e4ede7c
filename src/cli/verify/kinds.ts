/** What can be verified. */
export const KINDS = ['manifest', 'grant', 'checkpoint', 'entry', 'export'] as const
export type Kind = (typeof KINDS)[number]

/** What was found about an artefact. */
export interface Verdict {
  readonly kind: Kind
  /** Label -> value, for people: who signed, when, with which key. */
  readonly facts: readonly (readonly [label: string, value: string])[]
  /** Everything that does not hold, as full sentences; empty when the artefact is verified. */
  readonly findings: readonly string[]
}
