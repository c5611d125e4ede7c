/** Rotation of the `connections` key: tokens are encrypted again, so that the old key can be retired (section 20). */
import type { Service } from '../service.js'
import { connectionTokensOf, storedOf, withTokens } from './kept-connection.js'
import { connectionsKey } from './sealed-tokens.js'

const AT_ONCE = 500

/** Returns what encrypts tokens again under the newest key, until all are; one that does not open stays as it is. */
export function reencrypting(): (service: Service) => Promise<void> {
  let done: string | undefined
  return async (service) => {
    const { secrets = [] } = service.keys.ring()
    const active = connectionsKey(secrets)
    if (active === undefined || done === active.kid) return
    const isAlone = secrets.filter(({ role, secret }) => role === 'connections' && secret !== undefined).length < 2
    const written = isAlone ? 0 : await allUnder(service, active.kid)
    if (written === 0) done = active.kid
    else
      service.log.info('Tokens were encrypted again under the newest key.', { kid: active.kid, connections: written })
  }
}

/** Returns how many were written; one that is being renewed is looked at again. */
async function allUnder(service: Service, kid: string): Promise<number> {
  const { connections } = service.storage
  let written = 0
  for (let after = ''; ;) {
    const page = await connections.list({ after, limit: AT_ONCE })
    for (const kept of page) {
      if (kept.state === 'ended' || kept.sealed?.startsWith(`${kid}.`) === true) continue
      const tokens = connectionTokensOf(service, kept)
      if (tokens === undefined) continue
      await connections.reencrypt(withTokens(service, { ...storedOf(kept), revision: kept.revision + 1 }, tokens))
      written += 1
    }
    if (page.length < AT_ONCE) return written
    after = page.at(-1)!.connection_id
  }
}
