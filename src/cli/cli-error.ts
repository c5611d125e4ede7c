/** Exit codes of every command. */
export const EXIT = { ok: 0, findings: 1, usage: 2, internal: 3 } as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** An error that the user can fix: its message says what is wrong and what to do next. It is printed without a stack. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode = EXIT.usage) {
    super(message)
    this.exitCode = exitCode
  }
}

/** By its name: a part that was bundled apart has a class of its own. */
export const isCliError = (error: unknown): error is CliError =>
  error instanceof Error && error.name === 'CliError' && 'exitCode' in error
