/** Exit codes of every command. */
export const EXIT = { ok: 0, findings: 1, usage: 2, internal: 3, needsApproval: 4 } as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/**
 * An error that the user can fix: its message says what is wrong and what to do next. It is printed without a stack.
 */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exitCode: ExitCode
  /** A message is one line, because it may hold what others wrote; lines of ours are given as such. */
  readonly lines: readonly string[]

  constructor(message: string | readonly string[], exitCode: ExitCode = EXIT.usage) {
    const lines = typeof message === 'string' ? [message] : message
    super(lines.join('\n'))
    this.exitCode = exitCode
    this.lines = lines
  }
}

/**
 * An error in what a command was given, which reports of findings carry as one: its rule, and the file that it is
 * about.
 */
export class InputError extends CliError {
  readonly finding: InputFinding

  constructor(finding: InputFinding) {
    super(`${finding.code} ${finding.slug}: ${finding.message}`)
    this.finding = finding
  }
}

export interface InputFinding {
  readonly code: string
  readonly slug: string
  readonly message: string
  /** A file, or the pattern that names none. */
  readonly file: string
}

/** By its name: a part that was bundled apart has a class of its own. */
export const isCliError = (error: unknown): error is CliError =>
  error instanceof Error && error.name === 'CliError' && 'exitCode' in error
