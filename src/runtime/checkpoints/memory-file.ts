/** What was signed last, in a file of its own, so that a database restored to an earlier state is noticed (section 2.15). */
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Checkpoint } from '../../protocol/audit.js'
import type { CheckpointMemory } from './make.js'

/**
 * Remembers the newest checkpoint in a file. Keep it away from the database and its backups: beside the keys is a good place.
 * While the database is behind what the file says, nothing is signed and health shows `log_discontinuity`; to accept the
 * loss, remove the file.
 */
export const checkpointFile = (file: string): CheckpointMemory => ({
  last: async () => {
    const text = await readFile(file, 'utf8').catch(nothingIfMissing)
    return text === undefined ? undefined : (JSON.parse(text) as Checkpoint)
  },
  keep: async (checkpoint) => {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    const draft = `${file}.new`
    const handle = await open(draft, 'w', 0o600)
    try {
      await handle.writeFile(`${JSON.stringify(checkpoint)}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(draft, file)
  },
})

function nothingIfMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}
