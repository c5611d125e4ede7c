import { rename, rm, writeFile } from 'node:fs/promises'

/**
 * Puts a file where another may be, whole or not at all. Whatever stands at the temporary path is taken away first: a link there
 * would lead the bytes elsewhere.
 */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.svc-tmp`
  await rm(temporary, { force: true })
  try {
    await writeFile(temporary, content, { flag: 'wx' })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
