import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from '../package-root.js'
import { digest } from './lock.js'

/** The name under which the lock of `dist/` holds the digest of the command line that built it. */
export const TOOL = 'svc'

/** The digest of the command line. These two name their parts by their content, so they stand for all of it. */
export const toolDigest = async (): Promise<string> => digest(Buffer.concat(await Promise.all(ENTRIES.map(bytesOf))))

const ENTRIES = ['cli/main.js', 'cli/bundle.js']

const bytesOf = async (name: string): Promise<Uint8Array> =>
  readFile(join(packageRoot(), 'dist/bundle', name)).catch(() => readFile(import.meta.filename))
