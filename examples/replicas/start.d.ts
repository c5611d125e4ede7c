export interface Replica {
  readonly url: string
  /** Ends it as a crash would. */
  kill(): void
  stop(): Promise<void>
}

export interface Replicas {
  /** Of the balancer. */
  readonly url: string
  readonly replicas: readonly Replica[]
  readonly credentials: { readonly [variable: string]: string }
  stop(): Promise<void>
}

export function hasNginx(): boolean

/** Scaffolds, builds and serves; behind nginx where it is installed, unless told otherwise. */
export function startReplicas(
  database: string,
  options?: { readonly nginx?: boolean; readonly port?: number },
): Promise<Replicas>
