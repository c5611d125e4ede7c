/** Conditions for the start of a service with connections. */
import type { KeyRing } from '../../crypto/keys/key-ring.js'
import type { Capability } from '../../protocol/manifest.js'
import { connectionsOf, personalSettings } from './required.js'
import { connectionsKey, NO_CONNECTIONS_KEY } from './sealed-tokens.js'
import { hasConnections } from './settings.js'

/** Returns what is missing: the code that declares a connection, or the key that encrypts its tokens. */
export function missingForConnections(capabilities: readonly Capability[], { secrets }: KeyRing): readonly string[] {
  const named = connectionsOf(capabilities)
  const unknown = named.filter((upstream) => !hasConnections(upstream))
  const needsKey = named.some((upstream) => personalSettings(upstream) !== undefined)
  return [
    ...unknown.map(
      (upstream) => `x-upstream names the connection ${upstream}, which no upstream of the handlers declares.`,
    ),
    ...(needsKey && connectionsKey(secrets) === undefined ? [NO_CONNECTIONS_KEY] : []),
  ]
}
