import type { JsonObject } from '../../../protocol/manifest.js'
import { minorUnits, type Money } from '../../../protocol/money.js'
import { durationMs } from '../../../protocol/durations.js'
import { present } from '../../json/present.js'
import type { Service } from '../../service.js'
import type { Invocation } from '../invocation.js'

interface NewBinding {
  readonly type: string
  readonly price?: Money
  readonly data?: JsonObject
}

/**
 * Stores a binding for the caller's root principal and gives its id: the only source of a price (decisions, section 4).
 */
export async function issueBinding(
  service: Service,
  { name, token }: Invocation,
  { type, price, data }: NewBinding,
): Promise<string> {
  if (price !== undefined && minorUnits(price) === undefined)
    throw new TypeError(`The price of the ${type} binding is not an amount of a known currency.`)
  const binding_id = service.ids.make('binding')
  await service.storage.bindings.insert(
    present({
      binding_id,
      type,
      price,
      data,
      capability: name,
      root_principal: token.claims.root_principal,
      issued_at: service.now(),
      expires_at: expiryOf(service, name, type),
    }),
  )
  return binding_id
}

/** When no capability can accept the binding any more; undefined while one accepts it at any age. */
function expiryOf({ capabilities, now }: Service, source: string, type: string): number | undefined {
  const uses = [...capabilities.values()].flatMap(({ requires_binding = [] }) =>
    requires_binding.filter((use) => use.type === type && (use.source_capability ?? source) === source),
  )
  const ages = uses.map(({ max_age }) => (max_age === undefined ? undefined : durationMs(max_age)))
  return ages.length === 0 || ages.includes(undefined) ? undefined : now() + Math.max(...(ages as number[]))
}
