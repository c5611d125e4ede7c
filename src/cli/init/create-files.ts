import { lstat, mkdir, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { KEY_ROLES } from '../../protocol/words.js'
import { writeNewKeys } from '../../runtime/keys/key-directory.js'
import { makeFolder } from '../../runtime/storage/make-folder.js'
import { CliError } from '../shared/errors/cli-error.js'
import type { ScaffoldFile } from './template-files.js'

/** Refuses to write over what is there already, and writes nothing. */
export async function refuseConflicts(folder: string, paths: readonly string[]): Promise<void> {
  const there = await Promise.all(paths.map(async (path) => ((await exists(join(folder, path))) ? [path] : [])))
  const conflicts = there.flat()
  if (conflicts.length === 0) return
  throw new CliError(
    `These are in ${folder} already: ${conflicts.join(', ')}. Nothing was written. Choose another folder, or ` +
      'move them away.',
  )
}

/** A dangling link counts, too. */
const exists = async (path: string): Promise<boolean> => (await lstat(path).catch(() => undefined)) !== undefined

/**
 * All or nothing, with development keys: when one cannot be written (a full disk, say), what was made before it is
 * removed again.
 */
export async function createAll(folder: string, files: readonly ScaffoldFile[]): Promise<void> {
  await createFiles(folder, files, (made) => createKeys(join(folder, 'keys'), Date.now(), made))
}

/** The same without keys, for what is added to a service. */
export async function createFiles(
  folder: string,
  files: readonly ScaffoldFile[],
  then: (made: string[]) => Promise<void> = async () => undefined,
): Promise<void> {
  const made: string[] = []
  try {
    for (const file of files) await create(folder, file, made)
    await then(made)
  } catch (error) {
    for (const path of made.toReversed()) await rm(path, { recursive: true, force: true })
    throw error
  }
}

async function create(folder: string, { path, content, mode = 0o644 }: ScaffoldFile, made: string[]): Promise<void> {
  const file = join(folder, path)
  const outermost = await makeFolder(dirname(file))
  if (outermost !== undefined) made.push(outermost)
  const opened = await open(file, 'wx', mode)
  made.push(file)
  await opened.writeFile(content).finally(() => opened.close())
}

/** A key for each role, signing from now on. */
async function createKeys(folder: string, now: number, made: string[]): Promise<void> {
  await mkdir(folder, { mode: 0o700 })
  made.push(folder)
  await writeNewKeys(folder, KEY_ROLES, now)
}
