import type { Role } from '../../protocol/roles.js'
import { bearerOf, claimsToBeDelegation } from '../credentials/bearer.js'
import { identityOf } from '../auth/bootstrap.js'
import type { Known } from '../credentials/known.js'
import type { Call } from '../endpoint/endpoint.js'
import { refuse } from '../errors/refusal.js'
import type { Service } from '../service.js'

/**
 * Returns the caller with a bootstrap credential that carries a role; no token, whatever its scope, carries one
 * (threat N25).
 */
export async function inRole(
  service: Service,
  call: Pick<Call, 'authorization' | 'client' | 'caller'>,
  role: Role,
): Promise<Known> {
  const bearer = bearerOf(call.authorization)
  if (claimsToBeDelegation(bearer)) return lacking(role)
  const known = await identityOf(service, bearer, call.client)
  call.caller.principal = known.principal
  return known.roles?.includes(role) === true ? known : lacking(role)
}

const lacking = (role: Role): never =>
  refuse('insufficient_authority', `This needs a bootstrap credential with the role ${role}.`, {
    requires: `the role ${role}, which the operator of the service gives`,
  })
