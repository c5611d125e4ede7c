import { sep } from 'node:path'
import { CliError, EXIT } from './cli-error.js'

/** What the bundler and the TypeScript compiler add to the errors that they throw. */
interface BundlerError extends Error {
  readonly code?: string
  readonly pluginCode?: unknown
}

/** Faults that lie in the modules of the service, not in the bundler. */
const OF_THE_SOURCE = ['PARSE_ERROR', 'MISSING_EXPORT', 'UNRESOLVED_IMPORT', 'ENOENT', 'EISDIR']

/** The error for the user, when a module of the service cannot be bundled; else the error as it is. */
export function bundleError(error: unknown, root: string): unknown {
  if (!(error instanceof Error)) return error
  const { code, pluginCode, message } = error as BundlerError
  const fault = [code, pluginCode].some((word) => OF_THE_SOURCE.includes(String(word)))
  if (!fault && !(error instanceof CliError)) return error
  return new CliError(`${inTheProject(message, root)}\nMend it, then run svc build again.`, EXIT.findings)
}

const inTheProject = (message: string, root: string): string =>
  message
    .replaceAll(root + sep, '')
    .replace(/ \(Note that you need plugins to import files that are not JavaScript\)$/u, '')
