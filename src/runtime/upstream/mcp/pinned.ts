/**
 * An MCP server behind this service, as a person accepted it: what it is, and the digest of each tool that may be
 * called.
 */
export interface PinnedUpstream {
  readonly name: string
  readonly server: PinnedProcess | PinnedAddress
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
  /** Runs the child as another user; only root may. */
  readonly user?: { readonly uid: number; readonly gid: number }
}

/** What Node keeps from a child unless it is allowed. A process that it starts may open what this user may open. */
export type Power = 'child-process' | 'worker' | 'addons'

export interface PinnedAddress {
  readonly url: string
  /** The name of the environment that holds the credential. */
  readonly credential: string
}

export interface Environment {
  readonly [name: string]: string | undefined
}
