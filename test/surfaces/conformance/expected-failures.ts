export type Era = 'sessions' | '2026-07-28'

/** Scenarios of the conformance suite that fail or warn, by reason. A run fails where one of them passes. */
interface Expected {
  readonly reason: string
  /** Revisions whose runs fail so; all where it is left out. */
  readonly only?: Era
  readonly server?: readonly string[]
  readonly client?: readonly string[]
}

const numbered = (prefix: string, ...names: readonly string[]) => names.map((name) => `${prefix}${name}`)

export const EXPECTED: readonly Expected[] = [
  {
    reason: 'Nobody is told that a resource changed: it is what its capability returns when it is read.',
    server: numbered('resources-', 'subscribe', 'unsubscribe'),
  },
]
