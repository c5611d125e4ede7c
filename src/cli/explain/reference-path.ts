import { isAbsolute, join, relative } from 'node:path'
import { packageRoot } from '../shared/files/package-root.js'

/** Where a page of the documentation lies: from the folder of the caller, where the package is below it. */
export function referencePath(page: string): string {
  const path = join(packageRoot(), 'docs', page)
  const near = relative(process.cwd(), path)
  return near.startsWith('..') || isAbsolute(near) ? path : near
}
