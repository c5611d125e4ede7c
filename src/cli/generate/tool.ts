import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../package-root.js'
import { digest } from './lock.js'

/** The name under which the lock of `dist/` holds the digest of the command line that built it. */
export const TOOL = 'svc'

/** The digest of the command line. These two name their parts by their content, so they stand for all of it. */
export const toolDigest = (): string => digest(Buffer.concat(ENTRIES.map(bytesOf)))

const ENTRIES = ['cli/main.js', 'cli/bundle.js']

function bytesOf(name: string): Uint8Array {
  try {
    return readFileSync(join(packageRoot(), 'dist/bundle', name))
  } catch {
    return readFileSync(import.meta.filename)
  }
}
