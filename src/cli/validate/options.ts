import type { Preset } from '../../compiler/check.js'
import type { Severity } from '../../compiler/diagnostics.js'

export const FORMAT_NAMES = ['text', 'json', 'sarif', 'github', 'gitlab', 'junit'] as const
export type ReportFormat = (typeof FORMAT_NAMES)[number]

/** The options of `svc validate`, as the command line gives them. */
export interface ValidateOptions {
  readonly format: ReportFormat
  /** `format=file` */
  readonly out: readonly string[]
  readonly failOn: Severity
  readonly maxProblems?: number
  readonly quiet?: boolean
  /** Preset; that of the configuration, or `recommended`, if absent. */
  readonly preset?: Preset
  readonly enable: readonly string[]
  /** Severities of lints in the configuration. */
  readonly severities?: { readonly [code: string]: Severity | 'off' }
  /** Globs of files that a folder or a glob does not stand for. */
  readonly ignore?: readonly string[]
  readonly stdinFilename?: string
  /** The folder that reports for other programs name files from; the root of the repository when absent. */
  readonly relativeTo?: string
  readonly baseline?: string
  readonly writeBaseline?: boolean
  readonly pruneBaseline?: boolean
  readonly fix?: boolean
  readonly fixDryRun?: boolean
  /** With --fix: also what was most likely meant. */
  readonly unsafeFixes?: boolean
  /** A count for each rule in the place of the findings. */
  readonly statistics?: boolean
  readonly watch?: boolean
  readonly now?: string
  readonly color?: boolean
  /** Prints the report to standard output; through Node's stream if absent. */
  readonly print?: (text: string) => void
}

/** Defaults of the options. */
export const PLAINLY = {
  format: 'text',
  out: [],
  failOn: 'error',
  enable: [],
} as const satisfies ValidateOptions

/** Returns the enabled lints and their severities. */
export const lintsOf = ({ preset = 'recommended', enable, severities }: ValidateOptions) => ({
  preset,
  enable,
  ...(severities === undefined ? {} : { severities }),
})
