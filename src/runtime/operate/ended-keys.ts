/** A key that is removed, revoked or expired ends what it bought (decisions, section 13). */
import { endLent } from '../approvals/lent-authority.js'
import type { EndedKey } from '../credentials/api-keys.js'
import type { Service } from '../service.js'
import { endMeant } from './end-tokens.js'
import { recordEnding } from './record-action.js'
import { shellWord } from '../../protocol/shell.js'

/** Interval of checks whether a key has ended, after the file was read and by the clock of the store. */
export const KEYS_JUDGED_MS = 500

/** Actor of consequences of the key file. */
const THE_FILE = { principal: 'service:api-keys' } as const

/**
 * Ends the tokens of keys that have ended, once each. A key that is there again may buy again; one that was replaced
 * under its id has ended, too, and what both bought ends with it.
 */
export function endingKeys(): (service: Service) => Promise<void> {
  let done: ReadonlySet<string> = new Set()
  return async (service) => {
    const { apiKeys, storage } = service
    const ended = apiKeys.ended(await storage.now())
    for (const key of ended) if (!done.has(nameOf(key))) await endKey(service, key.id)
    done = new Set(ended.map(nameOf))
  }
}

const nameOf = ({ id, replaced }: EndedKey): string => JSON.stringify([id, replaced])

async function endKey(service: Service, id: string): Promise<void> {
  const ended = await endMeant(service, { target: 'api_key', value: id })
  await endLent(service, 'api_key', id)
  await service.storage.sessions.endAll({ api_key: id })
  if (ended.length === 0) return
  service.log.warn('An API key has ended, and with it the tokens that it bought.', {
    api_key_id: id,
    tokens: ended.length,
  })
  await recordEnding(service, THE_FILE, { name: 'api_key_ended', target: { api_key: id } }, ended)
}

/** Raises an alarm while tokens stand that were bought by keys which the file lacks: nobody saw those being removed. */
export async function findUnknownKeys({ apiKeys, storage, alarms, log }: Service): Promise<void> {
  const known = apiKeys.ids()
  const unknown = (await storage.operators.buyingApiKeys(await storage.now())).filter((id) => !known.has(id))
  if (unknown.length === 0) return alarms.clear('api_key_unknown')
  if (!alarms.all().includes('api_key_unknown'))
    log.warn('Tokens stand that were bought by API keys which are not in the file. End them, or put the key back.', {
      api_key_ids: unknown.slice(0, 10),
      command: `svc operate end --api-key ${shellWord(unknown[0]!)} --reason "..."`,
    })
  alarms.add('api_key_unknown')
}
