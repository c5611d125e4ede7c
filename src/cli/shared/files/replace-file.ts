import { chmod, realpath, rename, stat, unlink, writeFile } from 'node:fs/promises'

/**
 * Puts a file where another may be, whole or not at all. Whatever stands at the temporary path is taken away first: a
 * link there would lead the bytes elsewhere.
 */
export async function replaceFile(path: string, content: string | Uint8Array, mode?: number): Promise<void> {
  const temporary = `${path}.svc-tmp`
  await remove(temporary)
  try {
    await writeFile(temporary, content, { flag: 'wx', mode: mode ?? 0o666 })
    // The umask may have taken away what the file had.
    if (mode !== undefined) await chmod(temporary, mode)
    await rename(temporary, path)
  } catch (error) {
    await remove(temporary)
    throw error
  }
}

/** Writes a file of the user anew: a link to it stays a link, and who may read it may go on. */
export async function rewriteFile(path: string, content: string): Promise<void> {
  const file = await realpath(path)
  await replaceFile(file, content, (await stat(file)).mode & 0o777)
}

const remove = (path: string): Promise<void> =>
  unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
