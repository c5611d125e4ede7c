import type { Checkpoint, CheckpointDetail } from '../../../protocol/audit.js'
import type { PublicJwk } from '../../../protocol/jwk.js'
import type { Manifest } from '../../../protocol/manifest.js'
import type { ToolsDocument } from '../../../protocol/tools.js'
import { BASE, ROOT } from '../place.js'

/** Reads public data of the service, without the cookie: it is the same for everyone (sections 2.2, 4.9, 4.10). */
const read = <T>(path: string): Promise<T | undefined> =>
  jsonOf<T>(fetch(BASE + path, { credentials: 'omit', redirect: 'error' }))

async function jsonOf<T>(fetched: Promise<Response>): Promise<T | undefined> {
  try {
    const response = await fetched
    return response.ok ? ((await response.json()) as T) : undefined
  } catch {
    return undefined
  }
}

/**
 * Fetches what tells the manifest: as everybody may, else as the person who has signed in, where the service shows it
 * to callers with a credential only.
 */
async function fetchTold(path: string, signedIn: string): Promise<Response> {
  const response = await fetch(BASE + path, { credentials: 'omit', redirect: 'error' })
  if (response.status !== 401) return response
  return fetch(ROOT + signedIn, { credentials: 'same-origin', redirect: 'error' })
}

export const fetchManifest = (): Promise<Response> => fetchTold('/svc/manifest', '/api/manifest')

export const readManifest = () => jsonOf<Manifest>(fetchManifest())

export const readTools = () => jsonOf<ToolsDocument>(fetchTold('/tools.json', '/api/tools'))

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
