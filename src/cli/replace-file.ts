import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises'

/**
 * Puts a file where another may be, whole or not at all. Whatever stands at the temporary path is taken away first: a link there
 * would lead the bytes elsewhere.
 */
export async function replaceFile(path: string, content: string | Uint8Array, mode = 0o666): Promise<void> {
  const temporary = `${path}.svc-tmp`
  await rm(temporary, { force: true })
  try {
    await writeFile(temporary, content, { flag: 'wx', mode })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Writes a file of the user anew: a link to it stays a link, and who may read it may go on. */
export async function rewriteFile(path: string, content: string): Promise<void> {
  const file = await realpath(path)
  await replaceFile(file, content, (await stat(file)).mode)
}
