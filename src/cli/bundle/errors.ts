import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { CliError, EXIT } from '../shared/errors/cli-error.js'

/** A fault that the bundler found. */
interface Fault {
  readonly code?: string
  readonly message: string
  readonly loc?: { readonly file?: string; readonly line: number; readonly column: number }
}

/** Faults that lie in the modules of the service, not in the bundler. */
const OF_THE_SOURCE = ['PARSE_ERROR', 'MISSING_EXPORT', 'UNRESOLVED_IMPORT', 'UNRESOLVED_ENTRY', 'ENOENT', 'EISDIR']

/** The error for the user, when a module of the service cannot be bundled; else the error as it is. */
export function bundleError(error: unknown, root: string): unknown {
  if (!(error instanceof Error)) return error
  const { errors = [] } = error as { readonly errors?: readonly Fault[] }
  if (errors.length === 0 || !errors.every(({ code }) => OF_THE_SOURCE.includes(code ?? ''))) return error
  const lines = errors.map((fault) => textOf(fault, root))
  return new CliError([...lines, 'Fix it, then run svc build again.'], EXIT.findings)
}

/** The place of a fault, and the line that says what it is. */
function textOf({ message, loc }: Fault, root: string): string {
  const [first = ''] = stripVTControlCharacters(message).split('\n')
  const said = first.replace(/^\[[A-Z_]+\] /u, '').replaceAll(`${root}/`, '')
  if (loc?.file === undefined) return said
  return `${relative(root, loc.file).replaceAll('\\', '/')}:${loc.line}:${loc.column + 1} ${said}`
}
