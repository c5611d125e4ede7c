import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from './make-folder.js'

/**
 * Puts a small file where another may be, whole or not at all. Replicas may share the folder: each writes in a folder
 * of its own, and whoever renames last is read.
 */
export async function keepFile(folder: string, file: string, text: string): Promise<void> {
  await makeFolder(folder, 0o700)
  const own = await mkdtemp(join(folder, 'new-'))
  try {
    await writeFile(join(own, file), text, { mode: 0o600 })
    await rename(join(own, file), join(folder, file))
  } finally {
    await rm(own, { recursive: true, force: true })
  }
}

/** Rejects unless the file could not be kept because its folder may not be written. */
export function unlessReadOnly(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'EACCES' && code !== 'EROFS' && code !== 'EPERM') throw error
}
