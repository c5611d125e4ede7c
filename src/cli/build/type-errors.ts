/** Checks the types of the author's code by the TypeScript compiler of their own project. */
import { execFile } from 'node:child_process'
import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve, sep } from 'node:path'
import { leadsElsewhere } from '../shared/files/leads-elsewhere.js'
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
  const errors = errorsIn(root, output)
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

/** Options of `tsconfig.json` by which the compiler writes files, or prints what is no error; `null` takes them back. */
const TAKEN_BACK = [
  'generateTrace',
  'generateCpuProfile',
  'traceResolution',
  'listFiles',
  'listEmittedFiles',
  'explainFiles',
  'diagnostics',
  'extendedDiagnostics',
]

const FIXED = ['--project', 'tsconfig.json', '--noEmit', '--pretty', 'false']

const parameters = (root: string): readonly string[] => [
  ...FIXED,
  ...TAKEN_BACK.flatMap((option) => [`--${option}`, 'null']),
  ...memoryOf(root),
]

function memoryOf(root: string): readonly string[] {
  const file = `${MEMORY}/${nameOf(root)}.tsbuildinfo`
  // Where packages lie further up, no folder is made for the memory; where a link leads elsewhere, nothing is written.
  if (existsSync(join(root, 'node_modules')) && !leadsElsewhere(root, MEMORY) && !isLink(join(root, file)))
    return ['--incremental', '--tsBuildInfoFile', file]
  return ['--incremental', 'false', '--composite', 'null', '--tsBuildInfoFile', 'null']
}

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true

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

const PLACED = /^(?<file>[^\s(][^(]*)\((?<line>\d+),(?<column>\d+)\): (?<code>error TS\d+)(?<text>: .*)$/u
const BARE = /^error TS\d+: /u

/**
 * The errors of the compiler's output, each with the lines that explain it; `file:line:column` opens in editors. Of
 * those in files outside the project, such as what `extends` names, the texts are left out: they quote the file.
 */
function errorsIn(root: string, output: string): readonly string[] {
  const errors: { readonly lines: string[]; readonly isQuoted: boolean }[] = []
  for (const line of output.split(/\r?\n/u)) {
    const { file = '', line: row, column, code, text } = PLACED.exec(line)?.groups ?? {}
    const isQuoted = file === '' || isWithin(root, file)
    if (file !== '')
      errors.push({ isQuoted, lines: [`${file}:${row}:${column} - ${code}${isQuoted ? text : OUTSIDE}`] })
    else if (BARE.test(line)) errors.push({ isQuoted, lines: [line] })
    else if (line.startsWith(' ') && errors.at(-1)?.isQuoted === true) errors.at(-1)?.lines.push(line)
  }
  return errors.map(({ lines }) => lines.map(printable).join('\n'))
}

const OUTSIDE = ' (in a file outside the project: see npx tsc --noEmit)'

function isWithin(root: string, file: string): boolean {
  try {
    return realpathSync(resolve(root, file)).startsWith(realpathSync(root) + sep)
  } catch {
    return false
  }
}

const firstLine = (output: string): string => printable(output.split('\n')[0]!)
