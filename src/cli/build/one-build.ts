import { mkdirSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { leadsElsewhere } from '../shared/files/leads-elsewhere.js'
import { oneAtATime } from '../shared/locks/one-at-a-time.js'

/**
 * Builds while no other build does: what one has compared, another may not change before it is written. The lock stands
 * in
 * `dist/`, which nobody commits; a folder that was made for it alone does not stay.
 */
export async function oneBuildAtATime<T>(root: string, dist: string, work: () => Promise<T>): Promise<T> {
  // The build refuses it, and writes nothing there.
  if (leadsElsewhere(root, dist)) return work()
  const folder = join(root, dist)
  const made = madeFolder(folder)
  try {
    return await oneAtATime(join(folder, '.svc-building'), `Another build is writing ${dist}/.`, work)
  } finally {
    if (made !== undefined) removeEmpty(folder, made)
  }
}

/** The first folder that was made; none where it cannot be: the build will say so. */
function madeFolder(folder: string): string | undefined {
  try {
    return mkdirSync(folder, { recursive: true })
  } catch {
    return undefined
  }
}

function removeEmpty(folder: string, first: string): void {
  try {
    for (let each = folder; each.length >= first.length; each = dirname(each)) rmdirSync(each)
  } catch {
    // It holds what was built.
  }
}
