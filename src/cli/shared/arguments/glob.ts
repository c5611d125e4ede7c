import { readdir, type Dirent } from 'node:fs'
import { glob as find, type GlobOptions } from 'tinyglobby'
import { InputError } from '../errors/cli-error.js'

/** Error codes of a missing folder or a file in its place; both count as a folder without files. */
const NO_FOLDER = ['ENOENT', 'ENOTDIR']

/**
 * Finds files by their names' patterns. A folder that cannot be read is an error: what it holds would go unseen. Loaded
 * when a pattern is given.
 */
export async function glob(pattern: string, options: Omit<GlobOptions, 'patterns' | 'fs'>): Promise<readonly string[]> {
  const closed: string[] = []
  const reading = (path: string, how: { withFileTypes: true }, done: Done): void =>
    readdir(path, how, (error, entries) => {
      if (error !== null && !NO_FOLDER.includes(error.code ?? '')) closed.push(`\`${path}\` (${error.code})`)
      done(error, entries)
    })
  // `readdir` may be called in other ways; the walk calls it in this one.
  const files = await find(pattern, { ...options, fs: { readdir: reading as typeof readdir } })
  if (closed.length === 0) return files
  const message =
    `cannot read the folder ${closed.join(', ')}, which \`${pattern}\` goes through. Give yourself the right to ` +
    'it, or leave it out.'
  throw new InputError({ code: 'SVC0002', slug: 'unreadable', file: pattern, message })
}

type Done = (error: NodeJS.ErrnoException | null, entries?: Dirent[]) => void
