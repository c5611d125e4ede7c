import { QUERY_PARAMETERS } from '../../protocol/query-parameters.js'
import { checkpointDetail, listCheckpoints } from '../checkpoints/detail.js'
import { checkpointNote } from '../checkpoints/note.js'
import { idFilterIn, idInPath, idInQuery } from '../request/ids.js'
import { countIn, readQuery, timeIn, wordIn } from '../request/query.js'
import { ok, type Endpoint } from '../endpoint/endpoint.js'

const DEFAULT_LIMIT = 20
const MOST = 1000
/** Cache time of a checkpoint, which never changes. */
const MAX_AGE_S = 3600

/** GET /svc/checkpoints (section 4.9), newest first; `since` and `cursor` bound the page (decisions, section 21). */
export const checkpoints: Endpoint = async (service, call) => {
  const query = readQuery(call.query, QUERY_PARAMETERS.checkpoints)
  const limit = countIn(query, 'limit', { least: 1, most: MOST }) ?? DEFAULT_LIMIT
  const asked = { limit, since: timeIn(query, 'since'), cursor: idFilterIn(query, 'cursor', 'checkpoint') }
  return ok(await listCheckpoints(service.storage, asked))
}

/**
 * GET /svc/checkpoints/{id} (section 4.10), with the proofs that are asked for; `format=note` gives it as a C2SP signed
 * note.
 */
export const checkpoint: Endpoint = async (service, call) => {
  const query = readQuery(call.query, QUERY_PARAMETERS.checkpoint)
  const id = idInPath(call, 'checkpoint')
  if (wordIn(query, 'format', ['json', 'note']) === 'note') {
    const about = { serviceId: service.id, ring: service.keys.ring() }
    return { note: await checkpointNote(service.storage, about, id) }
  }
  const asked = {
    leafIndex: countIn(query, 'leaf_index', { least: 0, most: 999_999_999 }),
    invocationId: idInQuery(query, 'invocation_id', 'invocation'),
    consistencyFrom: idInQuery(query, 'consistency_from', 'checkpoint'),
  }
  return { status: 200, value: await checkpointDetail(service.storage, id, asked), maxAge: MAX_AGE_S }
}
