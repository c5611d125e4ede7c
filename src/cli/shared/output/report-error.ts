import { EXIT, isCliError, type CliError, type ExitCode } from '../errors/cli-error.js'
import { printError } from './print.js'
import { printable } from './printable.js'
import { systemErrorText } from '../errors/system-error.js'

/** Says what went wrong, and gives the exit code that stands for it. */
export function reportError(error: unknown): ExitCode {
  if (isCliError(error)) {
    printError(`svc: ${printableError(error)}\n`)
    return error.exitCode
  }
  const system = systemErrorText(error)
  if (system !== undefined) {
    printError(`svc: ${printable(system)}\n`)
    return EXIT.usage
  }
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
  printError(`svc: this is a bug in svc; please report it with the text below.\n${reason}\n`)
  return EXIT.internal
}

export const printableError = ({ lines }: CliError): string => lines.map(printable).join('\n')
