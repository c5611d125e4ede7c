import type { Report } from '../finding.js'
import type { Span } from '../parse/tree.js'

/** Surroundings that a reader of values needs. */
export interface ReadContext {
  readonly report: Report
  readonly text: (span: Span) => string
}

/** A place as messages speak of it. */
export interface Owner {
  readonly span: Span
  /** The key, or `inputs[2]`. */
  readonly name: string
}
