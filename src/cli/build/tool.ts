import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../shared/files/package-root.js'
import { digest, LOCK, readLock } from '../shared/locks/lock.js'

/** The name under which the lock of `dist/` holds the digest of the command line that built it. */
export const TOOL = 'svc'

/** The digest of the command line. Its entry names every other part by its content, so it stands for all of it. */
export const toolDigest = (): string => digest(entryBytes())

/** The name under which it holds the digest of the keys that the client pins. */
export const PINS = 'manifest_keys'

export const pinsDigest = (root: string): string => digest((readLock(root, LOCK)?.manifest_keys ?? []).join())

/** The name under which it holds the version of the service. */
export const SERVICE_VERSION = 'service_version'

const ENTRY = 'dist/bundle/cli/main.cjs'

function entryBytes(): Uint8Array {
  try {
    return readFileSync(join(packageRoot(), ENTRY))
  } catch {
    return readFileSync(import.meta.filename)
  }
}
