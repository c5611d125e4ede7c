import { realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type { Source } from '../../compiler/diagnostics.js'
import { includesOf, LEAVING_INCLUDE, type IncludeProblem } from '../../compiler/parse/includes.js'
import { isRemote } from '../../compiler/parse/schema-files.js'
import { readFromDisk } from '../shared/files/read-from-disk.js'
import { readSchemaFiles } from './schema-files.js'

export interface ManifestSources {
  /** The manifest first, then the fragments that it includes, then the schemas that these refer to. */
  readonly sources: readonly Source[]
  readonly includeProblems: readonly IncludeProblem[]
  /** The names of those that are schemas, and no manifests. */
  readonly schemaFiles?: ReadonlySet<string>
}

/** A manifest and the files that it includes, by the names that findings show. */
export async function readManifest(
  name: string,
  stdinName = 'stdin',
  readText: (file: string) => string = readFromDisk,
): Promise<ManifestSources> {
  const isStdin = name === '-'
  const file = isStdin ? stdinName : name
  const root = { file: shownName(file), text: isStdin ? await readStdin() : readText(file) }
  const patterns = includesOf(root)
  const folder = dirname(file)
  const found = await Promise.all(patterns.map((pattern) => resolveInclude(folder, file, pattern)))
  const paths = [...new Set(found.flatMap((each) => each.files))]
  const fragments = paths.map((path) => ({ file: shownName(path), text: readText(path) }))
  const manifests = [root, ...fragments].map((source, index) => ({ source, path: [file, ...paths][index]! }))
  const schemas = await readSchemaFiles(folder, manifests, (path) => ({ file: shownName(path), text: readText(path) }))
  return {
    sources: [root, ...fragments, ...schemas.sources],
    includeProblems: [...found.flatMap((each) => each.problems), ...schemas.problems],
    schemaFiles: new Set(schemas.sources.map((source) => source.file)),
  }
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

interface Resolved {
  readonly files: readonly string[]
  readonly problems: readonly IncludeProblem[]
}

async function resolveInclude(folder: string, manifest: string, pattern: string): Promise<Resolved> {
  const refuse = (code: string, message: string): Resolved => ({ files: [], problems: [{ pattern, code, message }] })
  if (isRemote(pattern))
    return refuse(
      'SVC0130',
      `The include \`${pattern}\` is remote; validation reads no network. Copy the file into the project.`,
    )
  if (LEAVING_INCLUDE.test(pattern))
    return refuse('SVC0129', `The include \`${pattern}\` leaves the folder of the manifest.`)
  const { glob } = await import('../shared/arguments/glob.js')
  const found = (await glob(pattern, { cwd: folder, expandDirectories: false, followSymbolicLinks: false })).toSorted()
  if (found.length === 0)
    return refuse('SVC0127', `The include \`${pattern}\` matches no file.${await otherSpelling(folder, pattern)}`)
  const home = realpathSync.native(folder || '.')
  const files = found.map((name) => join(folder, name))
  const real = files.map((path) => realpathSync.native(path))
  if (real.some((path) => !path.startsWith(home + sep)))
    return refuse('SVC0129', `The include \`${pattern}\` matches a link that leaves the folder of the manifest.`)
  if (real.includes(realPathOf(manifest)))
    return refuse('SVC0128', `The include \`${pattern}\` matches the manifest itself.`)
  return { files, problems: [] }
}

function realPathOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

async function otherSpelling(folder: string, pattern: string): Promise<string> {
  const other = pattern.endsWith('.yml') ? pattern.replace(/yml$/u, 'yaml') : pattern.replace(/yaml$/u, 'yml')
  const { glob } = await import('../shared/arguments/glob.js')
  const found = other === pattern ? [] : await glob(other, { cwd: folder, expandDirectories: false })
  return found.length === 0 ? '' : ` \`${other}\` exists.`
}

/** As short as it can be said from here, with `/`. */
function shownName(file: string): string {
  const short = relative(process.cwd(), file)
  return (short.startsWith('..') ? file : short).replaceAll('\\', '/')
}
