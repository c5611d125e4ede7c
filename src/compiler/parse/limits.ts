/** Limits of a reader, so that no input takes a second or a hundred megabytes. */
export interface ReadLimits {
  /** UTF-16 units of one file. */
  readonly length: number
  /** Values of one file, a collection counting as eight. */
  readonly values: number
  /** Collections inside collections. */
  readonly depth: number
  /** Nodes that aliases stand for, all together. */
  readonly aliasNodes: number
}

export const READ_LIMITS: ReadLimits = { length: 64 * 1024 * 1024, values: 2_000_000, depth: 64, aliasNodes: 250_000 }
