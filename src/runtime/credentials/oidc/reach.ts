import type { LookupAddress } from 'node:dns'
import { isLoopbackAddress, isPublicAddress } from '../../net/public-address.js'
import { systemResolve, type Judge, type Resolve } from '../../net/judged-lookup.js'
import { issuerUrl, type OidcOptions } from './options.js'

/** Name resolution, public addresses, and the certificates for names. */
export interface Network {
  readonly resolve: Resolve
  readonly isPublic: (address: string) => boolean
  /** The certificates of authorities, as PEM; those of the system unless given. */
  readonly authorities?: string
}

export const SYSTEM: Network = { resolve: systemResolve, isPublic: isPublicAddress }

/** Addresses of a provider that the service may connect to (threat O08). */
export interface Reach {
  judgeOf(url: URL): Judge
  /** Notes that a host has answered, and what its name meant then. */
  answered(url: URL, addresses: readonly LookupAddress[]): void
}

/**
 * A host that the operator has named may be in a private network. Once it has answered while its name meant public
 * addresses alone, its private ones are not connected to any more: the name was bound anew. What the provider's
 * documents name beside these hosts is as public as the issuer. Without TLS nothing leaves this machine, and a
 * provider with it names nothing without.
 */
export function reachOf(options: OidcOptions, { isPublic }: Network): Reach {
  const { protocol: ownProtocol, hostname: issuer } = issuerUrl(options)
  const named = new Set([issuer, ...(options.jwksOrigins ?? []).map((origin) => new URL(origin).hostname)])
  const wasPublic = new Map<string, boolean>()
  const arePublic = (addresses: readonly LookupAddress[]) => addresses.every(({ address }) => isPublic(address))
  const mustBePublic = (host: string): boolean =>
    named.has(host) ? wasPublic.get(host) === true : wasPublic.get(issuer) !== false
  return {
    judgeOf: ({ protocol, hostname }) => {
      const isSecure = protocol === 'https:'
      if (!isSecure && ownProtocol === 'https:' && !named.has(hostname)) return () => []
      if (!isSecure) return (found) => found.filter(({ address }) => isLoopbackAddress(address))
      return (found) => (mustBePublic(hostname) ? found.filter(({ address }) => isPublic(address)) : found)
    },
    answered: ({ hostname }, addresses) => {
      if (named.has(hostname) && !wasPublic.has(hostname)) wasPublic.set(hostname, arePublic(addresses))
    },
  }
}
