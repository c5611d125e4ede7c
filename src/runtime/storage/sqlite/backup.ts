/** Copies a SQLite file while it is in use. */
import { open, rename, rm, stat } from 'node:fs/promises'
import { StorageUnavailable } from '../contract.js'
import type { SqliteDriver } from './driver.js'

export interface BackupOptions {
  /** The database file of a service, which may be running. */
  readonly file: string
  /** Where the copy goes; nothing may be there yet. */
  readonly to: string
}

/**
 * Writes a copy of one moment beside the target, readable by its owner only, makes it durable and only then gives it
 * its name.
 */
export async function copyTo(driver: SqliteDriver, { file, to }: BackupOptions): Promise<void> {
  if (await isThere(to)) throw new StorageUnavailable(`There is a file ${to} already; a backup overwrites nothing.`)
  const partial = `${to}.partial`
  const failed = (error: unknown): never => {
    throw new StorageUnavailable(`${file} could not be copied to ${to}: ${String(error)}`, { cause: error })
  }
  // SQLite copies into a file that is there if it is empty, and keeps its mode.
  const copy = await open(partial, 'wx', 0o600).catch(failed)
  try {
    driver.prepare('vacuum into ?').run([partial])
    await copy.sync()
  } catch (error) {
    await rm(partial)
    failed(error)
  } finally {
    await copy.close()
  }
  await rename(partial, to)
}

export const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
