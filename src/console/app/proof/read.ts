import type { Checkpoint, CheckpointDetail } from '../../../protocol/audit.js'
import type { PublicJwk } from '../../../protocol/jwk.js'
import type { Manifest } from '../../../protocol/manifest.js'
import type { ToolsDocument } from '../../../protocol/tools.js'

/** Reads public data of the service, without the cookie: it is the same for everyone (sections 2.2, 4.9, 4.10). */
async function read<T>(path: string): Promise<T | undefined> {
  try {
    const response = await fetch(path, { credentials: 'omit', redirect: 'error' })
    return response.ok ? ((await response.json()) as T) : undefined
  } catch {
    return undefined
  }
}

export const readManifest = () => read<Manifest>('/svc/manifest')

export const readTools = () => read<ToolsDocument>('/tools.json')

/** Public health of the service. */
export interface Health {
  readonly status: string
  readonly alarms: readonly string[]
}

export const readHealth = () => read<Health>('/-/ready')

export const newestCheckpoint = async (): Promise<Checkpoint | undefined> =>
  (await read<{ readonly checkpoints: readonly Checkpoint[] }>('/svc/checkpoints?limit=1'))?.checkpoints[0]

export const checkpointWith = (id: string, leafIndex: number) =>
  read<CheckpointDetail>(`/svc/checkpoints/${encodeURIComponent(id)}?leaf_index=${leafIndex}`)

export const readKeys = async (): Promise<readonly PublicJwk[] | undefined> =>
  (await read<{ readonly keys: readonly PublicJwk[] }>('/.well-known/jwks.json'))?.keys
