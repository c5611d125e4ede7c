import { randomFillSync } from 'node:crypto'
import { ID_PREFIX, type IdKind } from '../../protocol/identifiers.js'
import type { Storage } from './contract.js'
import { startInvocationIds } from './invocation-ids.js'

/** Where ids come from; a service may be given its own. */
export interface Ids {
  /** A prefixed id with 136 random bits of its own, after 24 that it shares with some before or after it. */
  make(kind: IdKind): string
  /** `inv-` and 12 hex digits (section 2.13), unique within the service. */
  invocation(): string
}

const BYTES = 17
const SHARED_BYTES = 3
const IDS_AT_ONCE = 128

/**
 * Random texts as base64url. The generator is asked for many at once: each question takes longer than an id. Those of
 * one draw begin alike, so that an index by id takes them in at one place, and not each on a page of its own.
 */
function randomTexts(): () => string {
  const pool = Buffer.alloc(SHARED_BYTES + BYTES * IDS_AT_ONCE)
  let used = pool.length
  let shared = ''
  return () => {
    if (used === pool.length) {
      randomFillSync(pool)
      shared = pool.toString('base64url', 0, SHARED_BYTES)
      used = SHARED_BYTES
    }
    used += BYTES
    return shared + pool.toString('base64url', used - BYTES, used)
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
