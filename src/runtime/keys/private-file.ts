import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'

/**
 * The permissions of a file that others may read or write, in octal digits; undefined for one that is its owner's
 * alone.
 */
export const openToOthers = async (file: string): Promise<string | undefined> => othersMode((await stat(file)).mode)

// Windows has no such modes.
const othersMode = (mode: number): string | undefined =>
  process.platform === 'win32' || (mode & OTHERS_MAY_ACCESS) === 0
    ? undefined
    : (mode & 0o777).toString(8).padStart(4, '0')

const OTHERS_MAY_ACCESS = 0o077
const MOST_BYTES = 8 * 1024 * 1024

/** A file that only its owner may access, or the reason why it is not read. */
export type PrivateFile =
  | { readonly state: 'read'; readonly bytes: Uint8Array }
  | { readonly state: 'open'; readonly mode: string }
  | { readonly state: 'unfit'; readonly reason: string }

/** Reads the very file that was judged: opened once, and without waiting for a writer, as a named pipe asks for. */
export async function readPrivately(file: string): Promise<PrivateFile> {
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const found = await handle.stat()
    if (!found.isFile()) return { state: 'unfit', reason: 'is not a file. Move it away' }
    const mode = othersMode(found.mode)
    if (mode !== undefined) return { state: 'open', mode }
    if (found.size > MOST_BYTES) return { state: 'unfit', reason: `has more than ${MOST_BYTES} bytes` }
    return { state: 'read', bytes: await handle.readFile() }
  } finally {
    await handle.close()
  }
}
