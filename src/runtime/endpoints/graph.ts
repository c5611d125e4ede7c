import { refuse } from '../errors/refusal.js'
import type { Service } from '../service.js'
import { ok, type Endpoint } from '../endpoint/endpoint.js'

/**
 * GET /svc/graph/{capability} (decisions, section 8): what it needs, what refreshes and verifies it, what it is made
 * of.
 */
export const graph: Endpoint = async (service, call) => {
  const name = call.segments['capability'] ?? ''
  const capability = service.capabilities.get(name)
  if (capability === undefined) return refuse('unknown_capability', 'Unknown capability.')
  const { requires = [], refresh_via = [], verify_via = [], composition } = capability
  return ok({
    capability: name,
    requires,
    refresh_via,
    verify_via,
    composed_of: [...new Set(composition?.steps.map((step) => step.capability))],
    used_by: usersOf(service, name),
  })
}

const usersOf = ({ capabilities }: Service, name: string): readonly string[] =>
  [...capabilities].flatMap(([user, { composition }]) =>
    composition?.steps.some((step) => step.capability === name) ? [user] : [],
  )
