import { stat } from 'node:fs/promises'
import { shellPath } from '../../../protocol/shell.js'

/** Sentences about who beside this process may read or change a file; none where nobody may. */
export async function fileRemarks(file: string, own = process.getuid?.()): Promise<readonly string[]> {
  const found = await stat(file).catch(() => undefined)
  if (found === undefined || own === undefined) return []
  const { uid, mode } = found
  const open = mode & 0o077
  const isOthers = uid !== own && own !== 0
  return [
    ...(isOthers
      ? [
          `The database ${file} belongs to the user ${uid}, who can change what it says. This service is the user ${own}.`,
        ]
      : []),
    ...(open === 0
      ? []
      : [
          `Others may read the database ${file} (mode ${(mode & 0o7777).toString(8).padStart(4, '0')}). Run: chmod 600 ${shellPath(file)}`,
        ]),
  ]
}
