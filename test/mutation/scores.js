/** What was measured, and which files are no longer what was measured. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { globSync } from 'tinyglobby'

const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))

export const areas = read('areas.json')
/** Area -> file -> its score, and the digest of the file that had it. */
export const scores = () => read('scores.json')

export const filesOf = (area) => globSync(areas[area].mutate).sort()
export const digestOf = (file) => createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16)

/** Files of an area that are new, or not as they were. */
export const changedFilesOf = (area) =>
  filesOf(area).filter((file) => scores()[area]?.[file]?.digest !== digestOf(file))
