/**
 * Remembers beside the keys what was signed last, so that a restored backup is noticed: the storage cannot tell of it.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { readCheckpoint } from '../../crypto/merkle/checkpoint-proofs.js'
import { parseStrictJson } from '../../crypto/json/strict-json.js'
import { keepFile, unlessReadOnly } from '../storage/kept-file.js'
import type { CheckpointMemory } from './make.js'

/** The folder in a key directory. */
export const MEMORY = 'checkpoints'

/** A memory in a key directory, one file for each log. Where the directory cannot be written, nothing is remembered. */
export function checkpointMemory(directory: string): CheckpointMemory {
  // Absolute: the working directory may be removed while the service runs.
  const folder = resolve(directory, MEMORY)
  return {
    last: async (log) => {
      const text = await readFile(join(folder, fileOf(log)), 'utf8').catch(() => undefined)
      const json = text === undefined ? undefined : parseStrictJson(text)
      return json?.ok === true ? readCheckpoint(json.value) : undefined
    },
    hasAny: () =>
      readdir(folder).then(
        (names) => names.some((name) => name.endsWith('.json')),
        () => false,
      ),
    isWritable: () =>
      keepFile(folder, 'probe', '').then(
        () => true,
        () => false,
      ),
    keep: (log, checkpoint) => keepFile(folder, fileOf(log), `${JSON.stringify(checkpoint)}\n`).catch(unlessReadOnly),
  }
}

/** A log is known by the hash of its first leaf: another database is another log, a restored one is the same. */
const fileOf = (log: string): string => `${log.replace('sha256:', '').slice(0, 32)}.json`
