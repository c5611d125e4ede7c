import { randomFillSync } from 'node:crypto'
import { ID_PREFIX, type IdKind } from '../protocol/identifiers.js'
import type { Storage } from './storage/contract.js'
import { startInvocationIds } from './storage/invocation-ids.js'

/** Where ids come from; a service may be given its own. */
export interface Ids {
  /** A prefixed id with 144 random bits. */
  make(kind: IdKind): string
  /** `inv-` and 12 hex digits (section 2.13), unique within the service. */
  invocation(): string
}

const BYTES = 18
const IDS_AT_ONCE = 128

/** Random texts of 18 bytes as base64url. The generator is asked for many at once: each question takes longer than an id. */
function randomTexts(): () => string {
  const pool = Buffer.alloc(BYTES * IDS_AT_ONCE)
  let used = pool.length
  return () => {
    if (used === pool.length) {
      randomFillSync(pool)
      used = 0
    }
    used += BYTES
    return pool.toString('base64url', used - BYTES, used)
  }
}

/** Random ids, and invocation ids that the store hands out once. */
export async function idsFrom(storage: Storage): Promise<Ids> {
  const invocations = await startInvocationIds(storage)
  const randomText = randomTexts()
  return {
    make: (kind) => ID_PREFIX[kind] + randomText(),
    invocation: invocations.next,
  }
}
