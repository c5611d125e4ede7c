import { isIssuedBy } from '../../../protocol/issued-bindings.js'
import type { BindingRequirement } from '../../../protocol/manifest.js'
import { minorUnits } from '../../../protocol/money.js'
import { durationMs } from '../../../protocol/durations.js'
import { present } from '../../json/present.js'
import type { NewBinding } from '../../definition.js'
import type { Service } from '../../service.js'
import type { Invocation } from '../invocation.js'

/**
 * Stores a binding for the caller's root principal and gives its id: the only source of a price (decisions, section 4).
 * Throws for a type that no capability requires of this one, and for what is no price.
 */
export async function issueBinding(
  service: Service,
  { name, token }: Invocation,
  { type, price, data }: NewBinding,
): Promise<string> {
  const uses = usesOf(service, name, type)
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
      expires_at: expiryOf(service.now(), uses),
    }),
  )
  return binding_id
}

/** Where bindings of a type that a capability issues are required. */
function usesOf({ capabilities }: Service, name: string, type: string): readonly BindingRequirement[] {
  const uses = [...capabilities].flatMap(([consumer, { requires_binding = [] }]) =>
    requires_binding.filter((use) => use.type === type && isIssuedBy(name, consumer, use)),
  )
  if (uses.length > 0) return uses
  throw new TypeError(
    `The handler of ${name} issued a binding of the type ${JSON.stringify(type)}, which no capability requires ` +
      'of it; declare it in requires_binding.',
  )
}

/** When no capability can accept the binding any more; undefined while one accepts it at any age. */
function expiryOf(now: number, uses: readonly BindingRequirement[]): number | undefined {
  const ages = uses.map(({ max_age }) => (max_age === undefined ? undefined : durationMs(max_age)))
  return ages.includes(undefined) ? undefined : now + Math.max(...(ages as number[]))
}
