/** The account of a person at an upstream system, as the code of a call uses it. */
import type { ConnectionEnd } from '../../protocol/connections.js'
import type { UpstreamAccount } from '../definition.js'
import { FailedByHandler } from '../errors/refusal.js'
import type { Service } from '../service.js'
import { accessToken, refusedToken } from './access-token.js'
import { askedScopes } from './authorize.js'
import { connectionRequired, endOf, missingAt, otherPerson, personalSettings, type CallerChain } from './required.js'

/** Returns the account of the person at the root of a call; other people and their agents never get it. */
export function upstreamAccount(service: Service, token: CallerChain, upstream: string): UpstreamAccount {
  const { root_principal: person, sub } = token.claims
  const settings = personalSettings(upstream) ?? { scopes: [] }
  const { connections } = service.storage
  const required = (because?: ConnectionEnd, wanted: readonly string[] = []): never => {
    throw new FailedByHandler(connectionRequired(missingAt(service, { upstream, token, settings, because, wanted })))
  }
  return {
    person,
    token: async () => {
      const given = otherPerson(token) === undefined ? await accessToken(service, person, upstream, sub) : undefined
      return given ?? required(endOf(service, await connections.of(person, upstream)))
    },
    refused: (given) => refusedToken(service, person, upstream, given),
    needs: async (scopes) => {
      const kept = await connections.of(person, upstream)
      if (kept === undefined) return
      const more = scopes.filter((scope) => !kept.scopes.includes(scope))
      const allowed = askedScopes(settings, more)
      if (more.length === 0 || more.some((scope) => !allowed.includes(scope))) return
      await connections.want(kept.connection_id, [...new Set([...kept.wanted, ...more])])
      required(undefined, more)
    },
  }
}
