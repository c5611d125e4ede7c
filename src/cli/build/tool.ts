import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../shared/files/package-root.js'
import { digest, LOCK, readLock, type Lock } from '../shared/locks/lock.js'

/** The name under which the lock of `dist/` holds the digest of the command line that built it. */
export const TOOL = 'svc'

/** The digest of the command line. Its entry names every other part by its content, so it stands for all of it. */
export const toolDigest = (): string => digest(entryBytes())

/** The name under which it holds the digest of the keys that the client pins. */
export const PINS = 'manifest_keys'

export const pinsDigest = (root: string): string => digest((readLock(root, LOCK)?.manifest_keys ?? []).join())

/** The name under which it holds the version of the service. */
export const SERVICE_VERSION = 'service_version'

/** The name under which it holds that the types of the code were not checked, or its packages not joined. */
export const UNFINISHED = 'unfinished'

/** Digests of files alone: what else an output was made of has a name above. */
export function filesAmong(inputs: Lock['inputs']): Lock['inputs'] {
  const { [TOOL]: _, [PINS]: __, [SERVICE_VERSION]: ___, [UNFINISHED]: ____, ...files } = inputs
  return files
}

const ENTRY = 'dist/bundle/cli/main.cjs'

function entryBytes(): Uint8Array {
  try {
    return readFileSync(join(packageRoot(), ENTRY))
  } catch {
    return readFileSync(import.meta.filename)
  }
}
