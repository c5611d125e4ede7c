import { isRecord } from '../../../crypto/json/kinds.js'
import type { Input, Json } from '../../../protocol/manifest.js'
import type { Token } from '../../auth/token.js'
import { viewOf } from '../../auth/view.js'
import type { Resolved } from '../../definition.js'
import { hookAnswer } from '../../errors/hook-answer.js'
import { ownCopy } from '../../json/own-copy.js'
import { present } from '../../json/present.js'
import type { Service } from '../../service.js'

/** Sources of values, besides the caller. */
export interface ValueSources {
  /** The side effect is `read`: asking back is safe. */
  readonly harmless: boolean
  fromActor(input: Input): Promise<Json | undefined>
  /** Asks the resolver of the input; a value without a resolver stands as it is. */
  fromResolver(input: Input, given: Json): Promise<Resolved>
}

export function sourcesOf(service: Service, capability: string, token: Token): ValueSources {
  const { actorPolicy, resolvers } = service.implementation
  return {
    harmless: service.capabilities.get(capability)?.side_effect.type === 'read',
    fromActor: async (input) => {
      if (actorPolicy === undefined) return undefined
      const ask = () => actorPolicy({ capability, input: input.name, token: viewOf(token) })
      // Null counts as absent, from a policy as from a caller.
      return (await hookAnswer(service, ask)) ?? undefined
    },
    fromResolver: async (input, given) => {
      const { resolver_ref } = input.resolution ?? {}
      const reference = resolver_ref ?? input.catalog_ref
      const resolver = reference === undefined ? undefined : resolvers?.[reference]
      if (resolver === undefined) return { value: given }
      const principal = token.claims.sub
      const { name, catalog_ref } = input
      const asked = present({ capability, input: name, value: ownCopy(given), resolver_ref, catalog_ref, principal })
      return resolvedIn(reference!, await hookAnswer(service, () => resolver(asked)))
    },
  }
}

/** Interprets a resolver's answer. Throws for anything but the three kinds (section 2.6). */
function resolvedIn(reference: string, answer: Json | undefined): Resolved {
  const { value, ambiguous, unresolved } = isRecord(answer) ? answer : {}
  if (value !== undefined) return { value }
  if (Array.isArray(ambiguous)) return { ambiguous }
  if (unresolved === true) return { unresolved }
  throw new TypeError(
    `The resolver ${reference} gave neither { value }, { ambiguous: [...] } nor { unresolved: true }.`,
  )
}
