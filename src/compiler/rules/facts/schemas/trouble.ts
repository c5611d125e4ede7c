import type { FindingDetails, Span } from '../../../finding.js'
import type { YamlNode } from '../../../parse/tree.js'

/** Problems of a schema, with one rule each. */
export type TroubleKind = 'keyword' | 'value' | 'type' | 'reference' | 'loop' | 'pattern' | 'size'

export interface SchemaTrouble {
  readonly kind: TroubleKind
  readonly span: Span
  readonly message: string
  readonly details?: FindingDetails
}

/** Takes what is wrong with a schema. */
export type ReportTrouble = (kind: TroubleKind, span: Span, message: string, details?: FindingDetails) => void

/** Surroundings that a reader of keywords needs. */
export interface SchemaReading {
  readonly report: ReportTrouble
  /** Names under `x-schemas`. */
  readonly names: ReadonlySet<string>
  /** Judges a schema inside a schema. */
  readonly inner: (node: YamlNode) => void
}
