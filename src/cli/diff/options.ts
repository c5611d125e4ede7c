import type { FailOn } from '../../compiler/diff/effects.js'

export const DIFF_FORMATS = ['text', 'json', 'sarif', 'github', 'markdown'] as const
export type DiffFormat = (typeof DIFF_FORMATS)[number]

/** The options of `svc diff`, as the command line gives them. */
export interface DiffOptions {
  readonly format: DiffFormat
  /** `format=file` */
  readonly out: readonly string[]
  readonly failOn: readonly FailOn[]
  readonly accepted?: string
  readonly accept?: string
  readonly color?: boolean
}
