/** Rotation of the `connections` key: tokens are encrypted again, so that the old key can be retired (section 20). */
import type { Service } from '../service.js'
import { connectionTokensOf, storedOf, withTokens } from './kept-connection.js'
import { connectionsKey } from './sealed-tokens.js'

const AT_ONCE = 500

/** Runs without a look once all tokens are under the newest key: a replica with the keys of before may write yet. */
const QUIET_RUNS = 9

/** Returns what encrypts tokens again under the newest key; one that does not open stays as it is. */
export function reencrypting(): (service: Service) => Promise<void> {
  let quiet: { readonly kid: string; runs: number } | undefined
  return async (service) => {
    const { secrets = [] } = service.keys.ring()
    const active = connectionsKey(secrets)
    const isAlone = secrets.filter(({ role, secret }) => role === 'connections' && secret !== undefined).length < 2
    if (active === undefined || isAlone) return
    const { kid } = active
    if (quiet?.kid === kid && quiet.runs-- > 0) return
    const written = await allUnder(service, kid)
    quiet = written === 0 ? { kid, runs: QUIET_RUNS } : undefined
    if (written > 0)
      service.log.info('Tokens were encrypted again under the newest key.', { kid, connections: written })
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
