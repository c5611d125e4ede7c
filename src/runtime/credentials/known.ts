import type { ProvenBy } from '../../protocol/credential.js'
import type { Role } from '../../protocol/roles.js'
import type { Principal } from '../../protocol/principals.js'
import type { Identity } from '../definition.js'
import type { ProviderFetch } from './oidc/provider-fetch.js'

/** Principal of a bootstrap credential, and its API key or account, if known. */
export interface Known extends Identity {
  readonly credential?: ProvenBy
  /** Actor for the principal, if the credential names one: the outermost one (RFC 8693, section 4.1). */
  readonly actor?: Principal
  /** Further actors, as the credential names them, the next one first: recorded, never checked. */
  readonly innerActors?: readonly string[]
}

/** A role buys no capability: beside one, scopes are those that are listed. */
export const withRoles = <Given extends Identity>(given: Given, roles: readonly Role[] | undefined): Given =>
  roles === undefined ? given : { ...given, scopes: given.scopes ?? [], roles }

/** Asks a bootstrap credential's owner, or undefined if nobody knows it. */
export type Bootstrap = (bearer: string, client: string) => Promise<Known | undefined>

/** Proof of an identity provider's token: the caller, and the client that calls for a person. */
export interface IdentityProvider {
  readonly issuer: string
  /** Sends a request to the provider, at an address that it may name. */
  readonly fetch: ProviderFetch
  /** Takes tokens for the service itself. Who else's token it is, it does not know (undefined). */
  readonly bootstrap: (bearer: string) => ReturnType<Bootstrap>
  /** Takes access tokens that any client was given for a resource of the service; undefined for every other one. */
  signedIn(bearer: string, resource: string): Promise<SignedIn | undefined>
  /** Takes ID tokens that were made for a client of the service: its console. */
  vouchedFor(idToken: string, clientId: string): Promise<Known | undefined>
}

/** A person, and the client that calls for them: whoever the model behind it is, it is not the person (threat N19). */
export interface SignedIn {
  readonly identity: Known
  readonly agent: Principal
  /** s since the epoch. */
  readonly expiresAt: number
}
