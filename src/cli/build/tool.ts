import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { digest } from './lock.js'

/** The name under which the lock of `dist/` holds the digest of the command line that built it. */
export const TOOL = 'svc'

/** The digest of the running command line. Its entry names its parts by their content, so it stands for all of them. */
export const toolDigest = async (): Promise<string> => {
  const entry = new URL('../cli/main.js', import.meta.url)
  return digest(await readFile(fileURLToPath(entry)).catch(() => readFile(fileURLToPath(import.meta.url))))
}
