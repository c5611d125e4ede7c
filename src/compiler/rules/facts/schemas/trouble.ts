import type { FindingDetails, Span } from '../../../finding.js'
import type { YamlNode } from '../../../parse/tree.js'

/** What can be wrong with a schema; a rule each. */
export type TroubleKind = 'keyword' | 'value' | 'type' | 'reference' | 'loop' | 'pattern' | 'size'

export interface SchemaTrouble {
  readonly kind: TroubleKind
  readonly span: Span
  readonly message: string
  readonly details?: FindingDetails
}

/** Takes what is wrong with a schema. */
export type ReportTrouble = (kind: TroubleKind, span: Span, message: string, details?: FindingDetails) => void

/** What a reader of keywords needs to know of its surroundings. */
export interface SchemaReading {
  readonly report: ReportTrouble
  /** Names under `x-schemas`. */
  readonly names: ReadonlySet<string>
  /** Judges a schema inside a schema. */
  readonly inner: (node: YamlNode) => void
}
