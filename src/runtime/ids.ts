import { randomBytes } from 'node:crypto'
import { ID_PREFIX, type IdKind } from '../protocol/identifiers.js'

/** Where ids come from; a service is given one, tests give their own. */
export interface Ids {
  /** A prefixed id with 144 random bits. */
  make(kind: IdKind): string
  /** `inv-` and 12 hex digits (section 2.13); uniqueness is enforced by the trail. */
  invocation(): string
}

export const randomIds: Ids = {
  make: (kind) => ID_PREFIX[kind] + randomBytes(18).toString('base64url'),
  invocation: () => `inv-${randomBytes(6).toString('hex')}`,
}
