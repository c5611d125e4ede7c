import { clockIsRight } from './clock.js'
import { connectionsHaveKey } from './connections.js'
import { apiKeysAreGood, environmentIsPrivate, signingKeysAreReadable } from './credentials.js'
import type { Examination } from './examination.js'
import { nodeIsSupported, packagesAreInstalled } from './machine.js'
import { buildIsCurrent, manifestIsValid } from './project.js'
import { serversAreConfined } from './servers.js'

/** What `svc doctor` looks at, in the order in which it reports. */
export const EXAMINATIONS: readonly Examination[] = [
  nodeIsSupported,
  packagesAreInstalled,
  manifestIsValid,
  buildIsCurrent,
  signingKeysAreReadable,
  connectionsHaveKey,
  apiKeysAreGood,
  environmentIsPrivate,
  serversAreConfined,
  clockIsRight,
]
