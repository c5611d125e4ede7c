import type { Pending } from './hooks/use-pending.js'
import type { Me, Person } from './me.js'

/** What each page is given: where this is, who is here, what waits, and the segments of its path. */
export interface Here {
  readonly me: Me
  readonly person: Person
  readonly pending: Pending
  readonly segments: readonly string[]
}
