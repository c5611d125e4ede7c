import type { Severity } from '../diagnostics.js'
import type { Finding } from '../finding.js'
import type { Surroundings } from '../rules/context.js'
import type { Rule } from '../rules/rule.js'
import type { ReadFiles } from '../shape/read-files.js'

/** Text and settings that the findings are about. */
export interface Explained {
  readonly read: ReadFiles
  readonly rules: readonly Rule[]
  readonly surroundings: Surroundings
  /** Of lints in this project: code -> severity, or off. */
  readonly severities: { readonly [code: string]: Severity | 'off' }
}

/**
 * Findings -> better findings. A step takes nothing back that another one did, and reads the text only where it says
 * so.
 */
export type Step = (findings: readonly Finding[], about: Explained) => readonly Finding[]
