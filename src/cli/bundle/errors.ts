import { sep } from 'node:path'
import { CliError, EXIT } from '../shared/errors/cli-error.js'

/** Properties that the bundler and the TypeScript compiler add to the errors they throw. */
interface BundlerError extends Error {
  readonly code?: string
  readonly pluginCode?: unknown
}

/** Faults that lie in the modules of the service, not in the bundler. */
const OF_THE_SOURCE = ['PARSE_ERROR', 'MISSING_EXPORT', 'UNRESOLVED_IMPORT', 'ENOENT', 'EISDIR']

/** Prefix that the bundler adds to an error while it reads a module; our errors name the module already. */
const WRAPPED = /^Could not load \S+(?: \(imported by [^)]*\))?: /u

/** The error for the user, when a module of the service cannot be bundled; else the error as it is. */
export function bundleError(error: unknown, root: string): unknown {
  if (!(error instanceof Error)) return error
  const { code, pluginCode, message } = error as BundlerError
  const fault = [code, pluginCode].some((word) => OF_THE_SOURCE.includes(String(word)))
  if (!fault && !(error instanceof CliError)) return error
  const said = inTheProject(message, root)
  const problem = error instanceof CliError ? said.replace(WRAPPED, '') : said
  return new CliError([...problem.split('\n'), 'Fix it, then run svc build again.'], EXIT.findings)
}

const inTheProject = (message: string, root: string): string =>
  message
    .replaceAll(root + sep, '')
    .replace(/ \(Note that you need plugins to import files that are not JavaScript\)$/u, '')
