import { stat } from 'node:fs/promises'
import type { SqliteConnection } from './connection.js'

/** SQLite keeps the log at some 4 MiB, unless a reader stays. */
export const MOST_LOG_BYTES = 64 * 1024 * 1024

/** Size of the write-ahead log of a file; 0 if there is none. */
export const logBytes = (file: string): Promise<number> =>
  stat(`${file}-wal`).then(
    ({ size }) => size,
    () => 0,
  )

/**
 * Moves a log that has grown into its file, and returns the bytes of one that is held back by a reader; 0 where none
 * is.
 */
export async function foldLog(file: string, { control }: SqliteConnection, most = MOST_LOG_BYTES): Promise<number> {
  if ((await logBytes(file)) <= most) return 0
  control('pragma wal_checkpoint(truncate)')
  const left = await logBytes(file)
  return left > most ? left : 0
}
