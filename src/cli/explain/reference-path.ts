import { isAbsolute, join, relative } from 'node:path'
import { packageRoot } from '../shared/files/package-root.js'

/** Path of a documentation page: relative to the caller's folder if the package is below it. */
export function referencePath(page: string): string {
  const path = join(packageRoot(), 'docs', page)
  const near = relative(process.cwd(), path)
  return near.startsWith('..') || isAbsolute(near) ? path : near
}
