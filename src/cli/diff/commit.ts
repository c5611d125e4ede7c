import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { promisify } from 'node:util'
import { includesOf } from '../../compiler/parse/includes.js'
import { schemaFilesOf } from '../../compiler/parse/schema-files.js'
import { CliError } from '../shared/errors/cli-error.js'
import { readManifest, type ManifestSources } from '../validate/read-manifest.js'

const run = promisify(execFile)
const MOST_BYTES = 64 * 1024 * 1024
const MOST_FILES = 1_000

/** `git:REF`, `git:REF:folder` or `git:REF:file`; paths are relative to this folder, as git has it with `./`. */
export async function manifestOfCommit(name: string): Promise<ManifestSources> {
  const { ref, path } = partsOf(name)
  const file = (await isFolder(ref, path)) ? posix.join(path, 'svc.yaml') : path
  const shown = `git:${ref}:${file}`
  const root = { file: shown, text: await textOf(ref, file) }
  const isAlone = includesOf(root).length === 0 && schemaFilesOf(root, false).length === 0
  return isAlone ? { sources: [root], includeProblems: [] } : withIncludes(ref, file, root.text)
}

/** The file that `git:REF:path` names; undefined where the commit does not have it. */
export async function bytesInCommit(name: string): Promise<Uint8Array | undefined> {
  const { ref, path } = partsOf(name)
  await commitOf(ref)
  return git(['cat-file', 'blob', objectOf(ref, path)]).then(
    (text) => Buffer.from(text),
    () => undefined,
  )
}

/** Names of the files in a folder of a commit; none where the commit does not have the folder. */
export async function filesInCommit(folder: string): Promise<readonly string[]> {
  const { ref, path } = partsOf(folder)
  const listed = await git(['ls-tree', '--full-tree', '--name-only', '-z', objectOf(ref, path)]).catch(() => '')
  return listed.split('\0').filter((name) => name !== '')
}

/** Holds where the commit exists and lacks the very manifest that it is compared with: the service is new. */
export async function isNewSince(name: string, manifest: string): Promise<boolean> {
  if (!name.startsWith('git:')) return false
  const { ref, path } = partsOf(name)
  const file = posix.normalize(manifest)
  if (![path, posix.join(path, 'svc.yaml')].includes(file)) return false
  await commitOf(ref)
  return git(['cat-file', '-e', objectOf(ref, file)]).then(
    () => false,
    () => true,
  )
}

/** Holds for a branch, a tag or a commit that git knows. */
export const isCommit = (name: string): Promise<boolean> =>
  /^[^-\s:][^\s:]*$/u.test(name)
    ? commitOf(name).then(
        () => true,
        () => false,
      )
    : Promise.resolve(false)

const commitOf = (ref: string): Promise<string> =>
  git(['rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`]).catch((error: unknown) => {
    throw new CliError(`git does not know the commit ${ref} (${firstLine(error)}).`)
  })

function partsOf(name: string): { readonly ref: string; readonly path: string } {
  const [, ref = '', path = '.'] = /^git:([^:]+)(?::(.*))?$/su.exec(name) ?? []
  // A ref that begins with a dash would be an option of git.
  if (ref === '' || ref.startsWith('-') || /[\s\p{Cc}]/u.test(ref))
    throw new CliError(`${name} does not name a commit: write git:REF or git:REF:path, such as git:main:svc.yaml.`)
  return { ref, path: path === '' ? '.' : posix.normalize(path) }
}

/** As git names it, relative to this folder. */
const objectOf = (ref: string, path: string): string => `${ref}:./${path === '.' ? '' : path}`

async function isFolder(ref: string, path: string): Promise<boolean> {
  const kind = await git(['cat-file', '-t', objectOf(ref, path)]).catch((error: unknown) => {
    throw new CliError(`${path} does not exist in ${ref} (${firstLine(error)}).`)
  })
  return kind.trim() === 'tree'
}

const textOf = (ref: string, file: string): Promise<string> =>
  git(['cat-file', 'blob', objectOf(ref, file)]).catch((error: unknown) => {
    throw new CliError(`${file} does not exist in ${ref} (${firstLine(error)}).`)
  })

const git = async (parameters: readonly string[]): Promise<string> =>
  (await run('git', [...parameters], { maxBuffer: MOST_BYTES })).stdout

const firstLine = (error: unknown): string => {
  const { stderr, message } = error as { readonly stderr?: string; readonly message?: string }
  return (stderr || message || String(error)).split('\n')[0]!.replace(/^fatal: /u, '')
}

/**
 * The fragments are looked up as on disk: what of the folder is YAML or JSON is laid out in a folder of its own, and
 * removed again.
 */
async function withIncludes(ref: string, file: string, text: string): Promise<ManifestSources> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-diff-'))
  try {
    const home = posix.dirname(file)
    for (const path of await fragmentsIn(ref, home)) await lay(folder, path, await textOf(ref, posix.join(home, path)))
    await lay(folder, posix.basename(file), text)
    const read = await readManifest(join(folder, posix.basename(file)))
    const sources = read.sources.map((source) => ({ ...source, file: shownName(source.file, folder, ref, home) }))
    const includeProblems = read.includeProblems.map((each) =>
      each.file === undefined ? each : { ...each, file: shownName(each.file, folder, ref, home) },
    )
    return { sources, includeProblems }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function lay(folder: string, path: string, text: string): Promise<void> {
  const target = join(folder, path)
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, text)
}

/** Names of blobs below a folder; git gives no `..`, and links are none of them. */
async function fragmentsIn(ref: string, home: string): Promise<readonly string[]> {
  // Below the folder itself: git would list only what is of this folder in it.
  const listed = await git(['ls-tree', '--full-tree', '-r', '-z', objectOf(ref, home)])
  const paths = listed
    .split('\0')
    .flatMap((line) => /^100(?:644|755) blob \S+\t(.+\.(?:ya?ml|json))$/su.exec(line)?.[1] ?? [])
  if (paths.length > MOST_FILES)
    throw new CliError(`${ref} has more than ${MOST_FILES} YAML and JSON files in ${home}.`)
  return paths.filter((path) => !path.split('/').includes('..'))
}

function shownName(file: string, folder: string, ref: string, home: string): string {
  const [, below = file] = file.split(`${posix.basename(folder.replaceAll('\\', '/'))}/`)
  return `git:${ref}:${posix.join(home, below)}`
}
