import { stat } from 'node:fs/promises'

/**
 * The permissions of a file that others may read or write, in octal digits; undefined for one that is its owner's
 * alone.
 */
export async function openToOthers(file: string): Promise<string | undefined> {
  const { mode } = await stat(file)
  // Windows has no such modes.
  if (process.platform === 'win32' || (mode & OTHERS_MAY_ACCESS) === 0) return undefined
  return (mode & 0o777).toString(8).padStart(4, '0')
}

const OTHERS_MAY_ACCESS = 0o077
