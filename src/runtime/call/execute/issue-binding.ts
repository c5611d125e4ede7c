import { isIssuedBy, isPricedByBinding } from '../../../protocol/issued-bindings.js'
import type { BindingRequirement } from '../../../protocol/manifest.js'
import { minorUnits } from '../../../protocol/money.js'
import { durationMs } from '../../../protocol/durations.js'
import { plainCopy } from '../../json/plain-copy.js'
import { present } from '../../json/present.js'
import type { HandlerContext, NewBinding } from '../../definition.js'
import type { Service } from '../../service.js'
import type { StoredBinding } from '../../storage/contract.js'
import type { Invocation } from '../invocation.js'

/** Binding operations of a handler, and the bindings issued in this call. */
export interface Issuing {
  readonly bindings: HandlerContext['bindings']
  readonly issued: ReadonlyMap<string, StoredBinding>
}

export function issuing(service: Service, invocation: Invocation): Issuing {
  const issued = new Map<string, StoredBinding>()
  const bindings = {
    issue: async (given: NewBinding) => {
      const binding = await issueBinding(service, invocation, plainCopy(given) as object as NewBinding)
      issued.set(binding.binding_id, binding)
      return binding.binding_id
    },
    validUntil: (id: string) => validUntil(service, issued.get(id)),
  }
  return { bindings, issued }
}

/**
 * Stores a binding for the caller's root principal: the only source of a price (decisions, section 4). Throws for a
 * type that no capability requires of this one, and for what is no price.
 */
async function issueBinding(
  service: Service,
  { id, name, token }: Invocation,
  { type, price, data }: NewBinding,
): Promise<StoredBinding> {
  const uses = usesOf(service, name, type)
  if (price !== undefined && minorUnits(price) === undefined)
    throw new TypeError(`The price of the ${type} binding is not an amount of a known currency.`)
  const priced = price === undefined ? uses.find(({ isPriced }) => isPriced) : undefined
  if (priced !== undefined)
    service.log.warn(
      `${name} issued a ${type} binding without a price, which fixes what ${priced.consumer} costs: no budget covers ` +
        'that call (budget_not_enforceable).',
      { invocation_id: id },
    )
  const binding: StoredBinding = present({
    binding_id: service.ids.make('binding'),
    type,
    price,
    data,
    capability: name,
    root_principal: token.claims.root_principal,
    issued_at: service.now(),
    expires_at: expiryOf(service.now(), uses),
  })
  await service.storage.bindings.insert(binding)
  return binding
}

/** A place where a binding is required. */
interface Use {
  readonly consumer: string
  readonly max_age: BindingRequirement['max_age']
  readonly isPriced: boolean
}

/** Finds the capabilities that require a binding of a type that a capability issues. */
function usesOf({ capabilities }: Service, name: string, type: string): readonly Use[] {
  const uses = [...capabilities].flatMap(([consumer, capability]) =>
    (capability.requires_binding ?? [])
      .filter((use) => use.type === type && isIssuedBy(name, consumer, use))
      .map(({ max_age }) => ({ consumer, max_age, isPriced: isPricedByBinding(capability) })),
  )
  if (uses.length > 0) return uses
  throw new TypeError(
    `The handler of ${name} issued a binding of the type ${JSON.stringify(type)}, which no capability requires ` +
      'of it; declare it in requires_binding.',
  )
}

/** Returns when the binding becomes too old for every capability; undefined if one accepts it at any age. */
function expiryOf(now: number, uses: readonly Use[]): number | undefined {
  const ages = agesOf(uses)
  return ages.length < uses.length ? undefined : now + Math.max(...ages)
}

const agesOf = (uses: readonly Use[]): readonly number[] =>
  uses.flatMap(({ max_age }) => (max_age === undefined ? [] : [durationMs(max_age)!]))

/** Until when every capability that requires the binding accepts it. */
function validUntil(service: Service, binding: StoredBinding | undefined): string {
  if (binding === undefined) throw new TypeError('validUntil takes the id of a binding that this call has issued.')
  const { capability, type, issued_at } = binding
  const ages = agesOf(usesOf(service, capability, type))
  if (ages.length === 0)
    throw new TypeError(`A ${type} binding has no end: no capability that requires it has a max_age.`)
  return new Date(issued_at + Math.min(...ages)).toISOString()
}
