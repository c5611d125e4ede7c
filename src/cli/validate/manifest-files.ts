import { statSync, type Stats } from 'node:fs'
import { join, resolve } from 'node:path'
import { CliError, InputError } from '../shared/errors/cli-error.js'

const GLOB = /[*?[\]{}!]/u
const IGNORED = ['**/node_modules/**', '**/.git/**', '**/dist/**']

/** The manifests that the arguments name: files as they are, folders by their svc.yaml, globs by what they match. */
export async function manifestFiles(
  patterns: readonly string[],
  ignored: readonly string[] = [],
): Promise<readonly string[]> {
  const wanted = patterns.length === 0 ? ['svc.yaml'] : patterns
  const found = await Promise.all(wanted.map((pattern) => matchesOf(pattern, [...IGNORED, ...ignored])))
  const seen = new Set<string>()
  return found.flat().filter((file) => {
    const path = file === '-' ? file : resolve(file)
    return seen.has(path) ? false : seen.add(path)
  })
}

async function matchesOf(pattern: string, ignored: readonly string[]): Promise<readonly string[]> {
  if (pattern === '-') return ['-']
  const kind = kindOf(pattern)
  if (kind?.isFile()) return [pattern]
  if (kind?.isDirectory()) return inFolder(pattern, ignored)
  if (kind !== undefined)
    throw new CliError(`\`${pattern}\` is no regular file; write \`-\` to check what comes through standard input.`)
  if (GLOB.test(pattern)) return matching(pattern, ignored)
  const hint = pattern === 'svc.yaml' ? ' Name a file, or run `svc init` to make one.' : ''
  throw noInput(pattern, `there is no file \`${pattern}\`.${hint}${await nearMatches(pattern, ignored)}`)
}

async function inFolder(folder: string, ignored: readonly string[]): Promise<readonly string[]> {
  const own = join(folder, 'svc.yaml')
  if (kindOf(own)?.isFile()) return [own]
  return matching(join(folder, '**/svc.yaml').replaceAll('\\', '/'), ignored)
}

async function matching(pattern: string, ignored: readonly string[]): Promise<readonly string[]> {
  const files = await glob(pattern, ignored)
  if (files.length > 0) return files
  throw noInput(pattern, `no manifest matched \`${pattern}\`.${await nearMatches(pattern, ignored)}`)
}

const noInput = (file: string, message: string): InputError =>
  new InputError({ code: 'SVC0001', slug: 'no-input', file, message })

const kindOf = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false })

/** Files that match with the other spelling of the extension. */
async function nearMatches(pattern: string, ignored: readonly string[]): Promise<string> {
  const other = pattern.endsWith('.yml') ? pattern.replace(/yml$/u, 'yaml') : pattern.replace(/yaml$/u, 'yml')
  const files = other === pattern ? [] : await glob(other, ignored)
  return files.length === 0
    ? ''
    : ` ${files.length} ${files.length === 1 ? 'file matches' : 'files match'} \`${other}\`.`
}

async function glob(pattern: string, ignore: readonly string[]): Promise<readonly string[]> {
  const { glob: find } = await import('../shared/arguments/glob.js')
  return (await find(pattern, { ignore: [...ignore], dot: false, expandDirectories: false })).toSorted()
}
