import type { ConnectionSettings } from '../../connections/settings.js'

/**
 * An MCP server behind this service, as a person accepted it: what it is, and the digest of each tool that may be
 * called.
 */
export interface PinnedUpstream {
  readonly name: string
  readonly server: PinnedProcess | PinnedContainer | PinnedAddress
  /** Tool -> digest of its name, description and schemas. */
  readonly tools: { readonly [tool: string]: string }
}

/** A package that runs as a child of the service. */
export interface PinnedProcess {
  readonly package: string
  readonly version: string
  /** As the lock file has it. */
  readonly integrity: string
  /** The digest of the files of the package, as they were accepted. */
  readonly files: string
  /** The file that is run, within the package. */
  readonly file: string
  readonly args: readonly string[]
  /** Names of the environment that the child gets beside PATH and HOME. */
  readonly env: readonly string[]
  /** What the child may read and write beside its own folder; what begins with `./` is in the folder of the service. */
  readonly paths: readonly string[]
  /** What the child may do besides. */
  readonly allow: readonly Power[]
  /** Namespaces of its own where it is left out; `none` needs a reason. */
  readonly confinement?: 'namespaces' | 'none'
  /** Why the child runs as a process of this machine that can reach whatever this user can reach. */
  readonly reason?: string
  /** No network where it is left out. */
  readonly network?: ReachableHosts
  /** Runs the child as another user; only root may. */
  readonly user?: { readonly uid: number; readonly gid: number }
}

/** Public hosts that a child may reach: none, any, or those that are named. */
export type ReachableHosts = 'none' | 'open' | readonly string[]

/** What Node keeps from a child unless it is allowed. */
export type Power = 'child-process' | 'worker' | 'addons'

/** A server in an image of docker or podman: without network and mounts, read-only. */
export interface PinnedContainer {
  readonly confinement: 'container'
  /** By its digest, which names one content: `name@sha256:…`, or the id `sha256:…` of an image that was built here. */
  readonly image: string
  readonly args: readonly string[]
  /** Names of the environment that the container gets. */
  readonly env: readonly string[]
}

export interface PinnedAddress {
  readonly url: string
  /** The name of the environment that holds the credential. */
  readonly credential: string
  /** Accounts of people at the server, where the environment holds no credential for all of them. */
  readonly connection?: PinnedConnection
}

/** Way in which people connect accounts of theirs at a server. */
export interface PinnedConnection extends Pick<ConnectionSettings, 'issuer' | 'resource' | 'furtherScopes' | 'title'> {
  /** Scopes that each person is asked for; those that the server asks for unless given. */
  readonly scopes?: readonly string[]
  /** Names of the environment that hold the client at the authorization server. */
  readonly clientId?: string
  readonly clientSecret?: string
}

export interface Environment {
  readonly [name: string]: string | undefined
}
