import { randomBytes } from 'node:crypto'
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

/** Random ids, and invocation ids that the store hands out once. */
export async function idsFrom(storage: Storage): Promise<Ids> {
  const invocations = await startInvocationIds(storage)
  return {
    make: (kind) => ID_PREFIX[kind] + randomBytes(18).toString('base64url'),
    invocation: invocations.next,
  }
}
