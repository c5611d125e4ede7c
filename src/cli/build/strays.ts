import { readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { Destination } from './outputs.js'

/** Files in folders of ours that nothing of ours wrote: no build updates or removes them. */
export function straysIn({ root, folders, lock }: Destination, ours: ReadonlySet<string>): readonly string[] {
  const files = folders.flatMap((folder) => filesBelow(root, folder.replace(/\/$/u, '')))
  return files.filter((path) => path !== lock && !ours.has(path)).toSorted()
}

function filesBelow(root: string, folder: string): readonly string[] {
  const entries = readEntries(join(root, folder))
  return entries.flatMap((entry) => {
    const path = posix.join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(root, path) : [path]
  })
}

/** A folder that is not there has no files. */
function readEntries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
