/** Checks the types of the author's code by the TypeScript compiler of their own project. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { digest } from '../shared/locks/lock.js'
import { printable } from '../shared/output/printable.js'

/** Result of a check: its errors, one text each; or the reason why nothing was checked. */
export type CheckedTypes = { readonly errors: readonly string[] } | { readonly unchecked: string }

/** Folder of what the compiler remembers between two checks, so that the next takes half the time. */
const MEMORY = 'node_modules/.cache/svc-build'
const MOST_BYTES = 16 * 1024 * 1024
const MOST_MS = 600_000
/** The most errors that are shown; the rest are counted. */
const SHOWN = 20

const NONE_WRONG: CheckedTypes = { errors: [] }

/**
 * Checks all that `tsconfig.json` of the project includes. A project without that file has nothing to check. Ends early,
 * with a rejection, when `signal` is aborted.
 */
export async function checkTypes(root: string, signal?: AbortSignal): Promise<CheckedTypes> {
  if (!existsSync(join(root, 'tsconfig.json'))) return NONE_WRONG
  const compiler = compilerOf(root)
  if (compiler === undefined) return { unchecked: NO_COMPILER }
  const { code, output } = await ran(root, [compiler, ...parameters(root)], signal)
  if (code === 0) return NONE_WRONG
  const errors = errorsIn(output)
  // A compiler that fails without an error that reads has no verdict on the code.
  if (errors.length === 0) return { unchecked: `the TypeScript compiler ended with ${code}: ${firstLine(output)}` }
  return { errors }
}

const NO_COMPILER = 'typescript is not installed here. Run: npm install --save-dev typescript'

export const uncheckedNote = ({ unchecked }: Extract<CheckedTypes, { readonly unchecked: string }>): string =>
  `note: the types of your code were not checked: ${unchecked}`

/** Formats errors for people: the first twenty, and how many more there are. */
export function typeErrorsText(errors: readonly string[]): string {
  const more = errors.length - SHOWN
  return [...errors.slice(0, SHOWN), ...(more > 0 ? [`and ${more} more: npx tsc --noEmit`] : [])].join('\n')
}

const parameters = (root: string): readonly string[] => [
  '--project',
  'tsconfig.json',
  '--noEmit',
  '--pretty',
  'false',
  // Where packages lie further up, no folder is made for the memory.
  ...(existsSync(join(root, 'node_modules'))
    ? ['--incremental', '--tsBuildInfoFile', `${MEMORY}/${nameOf(root)}.tsbuildinfo`]
    : []),
]

/** Distinguishes projects whose packages lie in one folder. */
const nameOf = (root: string): string => digest(root).slice(0, 32)

/** Path of the compiler's command; undefined where the project has none. */
function compilerOf(root: string): string | undefined {
  try {
    const file = createRequire(join(root, 'package.json')).resolve('typescript/package.json')
    const { bin } = JSON.parse(readFileSync(file, 'utf8')) as { readonly bin?: { readonly tsc?: string } }
    return bin?.tsc === undefined ? undefined : join(dirname(file), bin.tsc)
  } catch {
    return undefined
  }
}

interface Ran {
  readonly code: number | string
  readonly output: string
}

/** Runs the compiler; it ends with this process at the latest. */
function ran(root: string, command: readonly string[], signal?: AbortSignal): Promise<Ran> {
  const options = { cwd: root, maxBuffer: MOST_BYTES, timeout: MOST_MS, ...(signal && { signal }) }
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, command, options, (error, stdout, stderr) => {
      process.off('exit', end)
      if (error?.name === 'AbortError') reject(error)
      else resolve({ code: error === null ? 0 : (error.code ?? error.signal ?? 'no code'), output: stdout || stderr })
    })
    const end = (): void => void child.kill()
    process.on('exit', end)
  })
}

const PLACED = /^(?<file>[^\s(][^(]*)\((?<line>\d+),(?<column>\d+)\): (?<error>error TS\d+: .*)$/u
const BARE = /^error TS\d+: /u

/** The errors of the compiler's output, each with the lines that explain it; `file:line:column` opens in editors. */
function errorsIn(output: string): readonly string[] {
  const errors: string[][] = []
  for (const line of output.split(/\r?\n/u)) {
    const placed = PLACED.exec(line)?.groups
    if (placed !== undefined)
      errors.push([`${placed['file']}:${placed['line']}:${placed['column']} - ${placed['error']}`])
    else if (BARE.test(line)) errors.push([line])
    else if (line.startsWith(' ')) errors.at(-1)?.push(line)
  }
  return errors.map((lines) => lines.map(printable).join('\n'))
}

const firstLine = (output: string): string => printable(output.split('\n')[0]!)
