/** Connections of people, and this service as a client of authorization servers (decisions, section 19). */
import type { ConnectionList } from '../../protocol/connections.js'
import type { Principal } from '../../protocol/principals.js'
import { QUERY_PARAMETERS } from '../../protocol/query-parameters.js'
import { identityOf } from '../auth/bootstrap.js'
import { clientMetadata } from '../connections/authorization-server.js'
import { endAnyway } from '../connections/kept-connection.js'
import { ownClient } from '../connections/own-client.js'
import { connectableUpstreams, viewOfConnection } from '../connections/views.js'
import { bearerOf, claimsToBeDelegation } from '../credentials/bearer.js'
import type { Known } from '../credentials/known.js'
import { ok, type Call, type Endpoint } from '../endpoint/endpoint.js'
import { refuse } from '../errors/refusal.js'
import { present } from '../json/present.js'
import { inRole } from '../operate/role-of.js'
import { idFilterIn, idInPath } from '../request/ids.js'
import { optionalMembersOf } from '../request/members.js'
import { countIn, principalIn, readQuery, textIn } from '../request/query.js'
import type { Service } from '../service.js'

const PAGE = { least: 1, most: 1000 } as const
const DEFAULT_PAGE = 100

/** GET /-/connections: those of the caller. */
export const connections: Endpoint = async (service, call) => {
  const { principal } = await personOf(service, call)
  const query = readQuery(call.query, QUERY_PARAMETERS.connections)
  const limit = countIn(query, 'limit', PAGE) ?? DEFAULT_PAGE
  return ok(await listed(service, { person: principal, limit, after: idFilterIn(query, 'cursor', 'connection') }))
}

/** GET /-/connections/all: those of everybody, for operators. */
export const operator_connections: Endpoint = async (service, call) => {
  await inRole(service, call, 'operator')
  const query = readQuery(call.query, QUERY_PARAMETERS.operator_connections)
  return ok(
    await listed(service, {
      person: principalIn(query, 'principal') as Principal | undefined,
      upstream: textIn(query, 'upstream'),
      after: idFilterIn(query, 'cursor', 'connection'),
      limit: countIn(query, 'limit', PAGE) ?? DEFAULT_PAGE,
    }),
  )
}

interface Listed {
  readonly person?: Principal | undefined
  readonly upstream?: string | undefined
  readonly after?: string | undefined
  readonly limit: number
}

async function listed(service: Service, { limit, ...filter }: Listed): Promise<ConnectionList> {
  const found = await service.storage.connections.list({ ...present(filter), limit: limit + 1 })
  const page = found.slice(0, limit)
  return present({
    connections: page.map((kept) => viewOfConnection(service, kept)),
    upstreams: connectableUpstreams(service),
    count: page.length,
    next_cursor: found.length > limit ? page.at(-1)!.connection_id : undefined,
  })
}

/** POST /-/connections/{id}/disconnect: by its person, or an operator. */
export const connection_disconnect: Endpoint = async (service, call) => {
  const person = await personOf(service, call)
  optionalMembersOf(await call.body(), [])
  const id = idInPath(call, 'connection')
  const kept = await service.storage.connections.get(id)
  const isTheirs = kept?.person === person.principal || person.roles?.includes('operator') === true
  if (kept === undefined || !isTheirs || !(await endAnyway(service, id, 'disconnected', person)))
    return refuse('not_found', 'There is no such connection, or it has ended already.')
  return ok(viewOfConnection(service, (await service.storage.connections.get(id))!))
}

/** Returns the caller with a credential of their own: a token of an agent names no account and ends none. */
async function personOf(service: Service, call: Call): Promise<Known> {
  const bearer = bearerOf(call.authorization)
  if (claimsToBeDelegation(bearer))
    return refuse('insufficient_authority', 'This needs a credential of the person, and no delegation token.')
  const known = await identityOf(service, bearer, call.client)
  call.caller.principal = known.principal
  return known
}

/** GET /.well-known/svc-client.json: this service as a client, where people can connect accounts of theirs. */
export const client_metadata: Endpoint = async (service) => {
  const own = ownClient(service)
  if (own === undefined || connectableUpstreams(service).length === 0)
    return refuse('not_found', 'No account of a person is connected through this service.')
  return { status: 200, value: { client_id: own.documentUrl, ...clientMetadata(own, 'none') }, maxAge: 3600 }
}
