import type { McpConnection } from './connection.js'
import type { McpOptions } from './options.js'
import { addressIn } from './uri-template.js'

/** Holds where a resource says what changes it: nobody subscribes to what is never told. */
export const hasChanges = ({ resources = {} }: McpOptions): boolean =>
  Object.values(resources).some(({ changedBy = [] }) => changedBy.length > 0)

/** Notes that a capability was called: what it changes has changed, as far as anybody knows. */
export function noteChange({ options: { resources = {} }, subscriptions }: McpConnection, capability: string): void {
  const changed = Object.entries(resources).filter(([, { changedBy = [] }]) => changedBy.includes(capability))
  if (changed.length === 0) return
  subscriptions.changed((uri) => changed.some(([address]) => addressIn(address, uri) !== undefined))
}
