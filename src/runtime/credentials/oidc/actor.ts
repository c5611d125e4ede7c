/** An agent that acts for a person by a provider's token (RFC 8693, section 4.1; decisions, section 21). */
import { isRecord } from '../../../crypto/json/kinds.js'
import type { Json, JsonObject } from '../../../protocol/manifest.js'
import { isPrincipal, type Principal } from '../../../protocol/principals.js'
import type { Known } from '../known.js'
import { isSubject } from './claimed-subject.js'
import type { OidcOptions } from './options.js'

/** Actors behind the outermost one, at most. */
const MOST_INNER = 10

export type Acting = Pick<Known, 'actor' | 'innerActors'>

/**
 * Returns the actors in verified claims: the outermost one, as an agent of its provider, and those inside it as they
 * are named. Empty if there are none; undefined if they cannot be determined.
 */
export function actingBy(options: OidcOptions, claims: JsonObject): Acting | undefined {
  if (!Object.hasOwn(claims, 'act')) return {}
  const named = namedFrom(claims['act'])
  const [outermost, ...innerActors] = named ?? []
  const actor = outermost === undefined ? undefined : agentNamed(options, outermost)
  if (actor === undefined) return undefined
  return innerActors.length === 0 ? { actor } : { actor, innerActors }
}

const agentNamed = ({ alias, issuer }: OidcOptions, subject: string): Principal | undefined => {
  const agent = `agent:${alias ?? new URL(issuer).host}/${encodeURIComponent(subject)}`
  return isPrincipal(agent) ? agent : undefined
}

/** The subjects of nested `act` claims, outermost first; undefined where one of them names nobody. */
function namedFrom(act: Json | undefined): readonly string[] | undefined {
  const named: string[] = []
  for (let each = act; each !== undefined; each = each['act']) {
    const sub = isRecord(each) ? each['sub'] : undefined
    if (!isRecord(each) || !isSubject(sub) || named.push(sub) > MOST_INNER + 1) return undefined
  }
  return named
}
