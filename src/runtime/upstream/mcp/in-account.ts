/** Servers at an address that act in the accounts of people (decisions, section 19). */
import type { FetchLike } from '@modelcontextprotocol/client'
import type { ConnectionSettings } from '../../connections/settings.js'
import type { UpstreamAccount } from '../../definition.js'
import { asPerson } from '../as-person.js'
import type { Environment, PinnedUpstream } from './pinned.js'

/** Sends each request in the account of a person, and nowhere without one. */
export const inAccount =
  (fetch: FetchLike, account: (() => UpstreamAccount) | undefined): FetchLike =>
  async (input, init) => {
    if (account === undefined) return fetch(input, init)
    const own = account()
    return asPerson(own, async () => {
      const personal = await own.token()
      const headers = new Headers(init?.headers)
      headers.set('Authorization', `Bearer ${personal}`)
      return { response: await fetch(input, { ...init, headers }), personal }
    })
  }

/** Returns how people connect to a server; undefined where the environment has one credential for all of them. */
export function connectionAt({ server }: PinnedUpstream, environment: Environment): ConnectionSettings | undefined {
  if (!('url' in server) || server.connection === undefined || environment[server.credential]) return undefined
  const { clientId, clientSecret, scopes = [], ...more } = server.connection
  return {
    ...more,
    address: server.url,
    scopes,
    clientId: clientId === undefined ? undefined : environment[clientId],
    clientSecret: clientSecret === undefined ? undefined : environment[clientSecret],
  }
}
