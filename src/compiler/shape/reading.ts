import type { Report } from '../finding.js'
import type { Span } from '../parse/tree.js'

/** What a reader of values needs to know of its surroundings. */
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
