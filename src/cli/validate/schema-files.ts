import { realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { Source } from '../../compiler/diagnostics.js'
import type { IncludeProblem } from '../../compiler/parse/includes.js'
import { isRemote, schemaFilesOf } from '../../compiler/parse/schema-files.js'

/** A schema has at most 64 k characters; more bytes cannot be one. */
const MOST_BYTES = 256 * 1024
/** Files that are looked for, and their bytes together. */
const MOST_FILES = 200
const MOST_TOGETHER = 1024 * 1024

interface ReadFile {
  readonly source: Source
  readonly path: string
}

export interface SchemaFiles {
  readonly sources: readonly Source[]
  readonly problems: readonly IncludeProblem[]
}

/** The files that the schemas of manifests refer to, and that these refer to, each once and below the folder. */
export async function readSchemaFiles(
  folder: string,
  manifests: readonly ReadFile[],
  read: (path: string) => Source,
): Promise<SchemaFiles> {
  const found = new Map<string, ReadFile>()
  const problems: IncludeProblem[] = []
  const troubleWith = lookUp(folder, new Set(manifests.map(({ path }) => resolve(path))))
  const visit = ({ source, path }: ReadFile, isSchema: boolean): void => {
    for (const reference of new Set(schemaFilesOf(source, isSchema))) {
      if (isRemote(reference)) continue
      const target = join(dirname(path), reference)
      if (found.has(target)) continue
      const trouble = troubleWith(target, reference)
      if (trouble === undefined) found.set(target, { source: read(target), path: target })
      else problems.push({ pattern: reference, file: source.file, ...trouble })
    }
  }
  for (const each of manifests) visit(each, false)
  // What is found while it is gone through is gone through, too.
  for (const each of found.values()) visit(each, true)
  return { sources: [...found.values()].map(({ source }) => source), problems }
}

type Trouble = Pick<IncludeProblem, 'code' | 'message'>

const missing = (message: string): Trouble => ({ code: 'SVC0127', message })
const TOO_MANY = missing(`More than ${MOST_FILES} schema files are referred to; this one is not read.`)
const TOO_LARGE = missing(`The schema files have more than ${MOST_TOGETHER} bytes together; this one is not read.`)

/** Says why files may not be read, one after another; looks at so many only, and lets through so many bytes. */
function lookUp(folder: string, manifests: ReadonlySet<string>) {
  const looked = new Set<string>()
  let bytes = 0
  return (target: string, reference: string): Trouble | undefined => {
    if (manifests.has(resolve(target)))
      return { code: 'SVC0128', message: `\`${reference}\` is part of the manifest, and no schema.` }
    if (looked.add(target).size > MOST_FILES) return TOO_MANY
    const size = sizeOf(folder, target, reference)
    if (typeof size !== 'number') return size
    if (bytes + size > MOST_TOGETHER) return TOO_LARGE
    bytes += size
    return undefined
  }
}

/** The bytes of a file that may be read, or why it may not. */
function sizeOf(folder: string, target: string, reference: string): number | Trouble {
  const named = `The schema \`${reference}\``
  const leaves: Trouble = { code: 'SVC0129', message: `${named} leaves the folder of the manifest.` }
  if (/^(?:[/\\~]|[a-z]:)/iu.test(reference) || isOutside(resolve(folder), resolve(target))) return leaves
  const stats = statSync(target, { throwIfNoEntry: false })
  if (stats?.isFile() !== true) return missing(`There is no file \`${reference}\`.`)
  if (isOutside(realpathSync.native(folder || '.'), realpathSync.native(target))) return leaves
  if (!/\.(?:ya?ml|json)$/iu.test(reference)) return missing(`${named} is no YAML or JSON file.`)
  return stats.size > MOST_BYTES ? missing(`${named} has ${stats.size} bytes; ${MOST_BYTES} are the most.`) : stats.size
}

const isOutside = (home: string, path: string): boolean => {
  const way = relative(home, path)
  return way === '' || way === '..' || way.startsWith(`..${sep}`) || resolve(home, way) !== path
}
