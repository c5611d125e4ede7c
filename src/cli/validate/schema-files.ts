import { realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { Source } from '../../compiler/diagnostics.js'
import type { IncludeProblem } from '../../compiler/parse/includes.js'
import { isRemote, schemaFilesOf } from '../../compiler/parse/schema-files.js'

/** A schema has at most 64 k characters; more bytes cannot be one. */
const MOST_BYTES = 256 * 1024
const MOST_FILES = 200

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
  const isManifest = (target: string): boolean => manifests.some(({ path }) => resolve(path) === resolve(target))
  const visit = ({ source, path }: ReadFile, isSchema: boolean): void => {
    for (const reference of new Set(schemaFilesOf(source, isSchema))) {
      if (isRemote(reference)) continue
      const target = join(dirname(path), reference)
      if (found.has(target)) continue
      const trouble = isManifest(target)
        ? { code: 'SVC0128', message: `\`${reference}\` is part of the manifest, and no schema.` }
        : found.size < MOST_FILES
          ? troubleOf(folder, target, reference)
          : TOO_MANY
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

function troubleOf(folder: string, target: string, reference: string): Trouble | undefined {
  const named = `The schema \`${reference}\``
  const leaves: Trouble = { code: 'SVC0129', message: `${named} leaves the folder of the manifest.` }
  if (/^(?:[/\\~]|[a-z]:)/iu.test(reference) || isOutside(resolve(folder), resolve(target))) return leaves
  const stats = statSync(target, { throwIfNoEntry: false })
  if (stats?.isFile() !== true) return missing(`There is no file \`${reference}\`.`)
  if (isOutside(realpathSync.native(folder || '.'), realpathSync.native(target))) return leaves
  if (!/\.(?:ya?ml|json)$/iu.test(reference)) return missing(`${named} is no YAML or JSON file.`)
  return stats.size > MOST_BYTES ? missing(`${named} has ${stats.size} bytes; ${MOST_BYTES} are the most.`) : undefined
}

const isOutside = (home: string, path: string): boolean => {
  const way = relative(home, path)
  return way === '' || way === '..' || way.startsWith(`..${sep}`) || resolve(home, way) !== path
}
