import { lstatSync } from 'node:fs'
import { join } from 'node:path'

/** Holds where a part of the path of a folder is a link, or no folder: what is written there may land anywhere. */
export function leadsElsewhere(root: string, folder: string): boolean {
  const parts = folder.split('/')
  return parts.some((_, index) => {
    const stats = lstatSync(join(root, ...parts.slice(0, index + 1)), { throwIfNoEntry: false })
    return stats !== undefined && !stats.isDirectory()
  })
}
