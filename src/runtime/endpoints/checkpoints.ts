import { countIn, readQuery } from '../inputs/query.js'
import { refuse } from '../refusal.js'
import { ok, type Endpoint } from './endpoint.js'

const DEFAULT_LIMIT = 20
const MOST = 1000

/** GET /svc/checkpoints (section 4.9), newest first. */
export const checkpoints: Endpoint = async (service, call) => {
  const query = readQuery(call.query, ['limit'])
  const limit = countIn(query, 'limit', { least: 1, most: MOST }) ?? DEFAULT_LIMIT
  return ok({ checkpoints: await service.storage.checkpoints.list(limit) })
}

/** GET /svc/checkpoints/{id} (section 4.10). */
export const checkpoint: Endpoint = async (service, call) => {
  const found = await service.storage.checkpoints.get(call.segments['id'] ?? '')
  if (found === undefined) return refuse('not_found', 'There is no such checkpoint.')
  return ok({ ...found, tree_size: found.entry_count, tree_head: found.merkle_root })
}
