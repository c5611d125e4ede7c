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
  /** The file that is run, within the package. */
  readonly file: string
  readonly args: readonly string[]
  /** Names of the environment that the child gets beside PATH and HOME. */
  readonly env: readonly string[]
  /** Runs the child as another user; only root may. */
  readonly user?: { readonly uid: number; readonly gid: number }
}

export interface PinnedAddress {
  readonly url: string
  /** The name of the environment that holds the credential. */
  readonly credential: string
}

export interface Environment {
  readonly [name: string]: string | undefined
}
