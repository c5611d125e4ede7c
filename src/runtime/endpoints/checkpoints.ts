import { checkpointDetail, listCheckpoints } from '../checkpoints/detail.js'
import { countIn, readQuery, textIn } from '../inputs/query.js'
import { ok, type Endpoint } from './endpoint.js'

const DEFAULT_LIMIT = 20
const MOST = 1000

/** GET /svc/checkpoints (section 4.9), newest first. */
export const checkpoints: Endpoint = async (service, call) => {
  const query = readQuery(call.query, ['limit'])
  const limit = countIn(query, 'limit', { least: 1, most: MOST }) ?? DEFAULT_LIMIT
  return ok({ checkpoints: await listCheckpoints(service.storage, limit) })
}

/** GET /svc/checkpoints/{id} (section 4.10), with the proofs that are asked for. */
export const checkpoint: Endpoint = async (service, call) => {
  const query = readQuery(call.query, ['leaf_index', 'invocation_id', 'consistency_from'])
  const asked = {
    leafIndex: countIn(query, 'leaf_index', { least: 0, most: 999_999_999 }),
    invocationId: textIn(query, 'invocation_id'),
    consistencyFrom: textIn(query, 'consistency_from'),
  }
  return ok(await checkpointDetail(service.storage, call.segments['id'] ?? '', asked))
}
