import type { Pending } from './hooks/use-pending.js'
import type { Me, Person } from './me.js'

/** Properties of each page: the service, the person, pending requests, and the segments of its path. */
export interface Here {
  readonly me: Me
  readonly person: Person
  readonly pending: Pending
  readonly segments: readonly string[]
}
