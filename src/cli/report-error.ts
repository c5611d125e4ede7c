import { EXIT, isCliError, type ExitCode } from './cli-error.js'
import { systemErrorText } from './system-error.js'

/** Says what went wrong, and gives the exit code that stands for it. */
export function reportError(error: unknown): ExitCode {
  if (isCliError(error)) {
    process.stderr.write(`svc: ${error.message}\n`)
    return error.exitCode
  }
  const system = systemErrorText(error)
  if (system !== undefined) {
    process.stderr.write(`svc: ${system}\n`)
    return EXIT.usage
  }
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`svc: this is a bug in svc; please report it with the text below.\n${reason}\n`)
  return EXIT.internal
}
