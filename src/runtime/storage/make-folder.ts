import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder and those above it that are missing, and gives the outermost one that it made. Node's own recursive
 * `mkdir` tries for ever where nothing can be made and the parent does not say why, as below /proc.
 */
export async function makeFolder(folder: string, mode = 0o777): Promise<string | undefined> {
  const missing: string[] = []
  for (let at = resolve(folder); !(await isThere(at)); at = dirname(at)) missing.push(at)
  for (const each of missing.toReversed()) await mkdir(each, { mode }).catch(unless('EEXIST'))
  return missing.at(-1)
}

const isThere = async (path: string): Promise<boolean> =>
  (await stat(path).catch(unless('ENOENT'))) !== undefined || dirname(path) === path

/** Another process may have been quicker; everything else is thrown. */
const unless =
  (code: string) =>
  (error: unknown): undefined => {
    if (!(error instanceof Error && 'code' in error && error.code === code)) throw error
  }
