import { settledWithin } from '../errors/settled-within.js'
import type { Alarm } from '../telemetry/alarms.js'
import type { Service } from '../service.js'
import type { EndpointAnswer, Endpoint } from '../endpoint/endpoint.js'

/** GET /-/live: the process answers. */
export const live: Endpoint = async () => ({ status: 200, value: { status: 'live' } })

/** GET /-/ready: storage, keys and trail can be used; 503 otherwise. Says which part, and nothing else about it. */
export const ready: Endpoint = async (service) => {
  const ring = service.keys.ring()
  const [storage, signs] = await Promise.all([canBeUsed(service.storage), ring.ready === undefined || canBeUsed(ring)])
  const keys = signs && ring.keys.some((key) => key.role === 'tokens' && key.state === 'active')
  await watchManifest(service)
  if (!service.bodies.wereRefused()) service.alarms.clear('bodies_refused')
  const alarms = service.alarms.all()
  const isUsable = storage && keys && !service.lifecycle.draining && !alarms.some(endsService)
  const status = !isUsable ? 'unavailable' : alarms.length > 0 ? 'degraded' : 'ready'
  return {
    status: status === 'unavailable' ? 503 : 200,
    value: { status, storage, keys, alarms },
  } satisfies EndpointAnswer
}

/** Checks for alarms that make the service unusable. */
const endsService = (alarm: Alarm): boolean => alarm === 'audit_unavailable' || alarm === 'clock_differs'

/** Time limit of a health check, below the second or two of common platforms; concurrent requests share one check. */
const ANSWER_WITHIN_MS = 1_500

/** The store, or who holds the keys where that is another process. */
interface Needed {
  ready?(): Promise<unknown>
}

const asked = new WeakMap<Needed, Promise<true | undefined>>()

async function canBeUsed(needed: Needed): Promise<boolean> {
  const usable = asked.get(needed) ?? ask(needed)
  return (await settledWithin(usable, ANSWER_WITHIN_MS)) === true
}

function ask(needed: Needed): Promise<true | undefined> {
  const usable = Promise.resolve(needed.ready?.()).then(
    () => true as const,
    () => undefined,
  )
  asked.set(needed, usable)
  return usable.finally(() => asked.delete(needed))
}

/** A manifest that was published elsewhere may have ended; one that is made here never has (section 9.4). */
async function watchManifest({ documents, alarms, now }: Service): Promise<void> {
  const { expiresAt } = await documents.manifest().catch(() => ({ expiresAt: 0 }))
  if (expiresAt !== undefined && expiresAt <= now()) alarms.add('manifest_expired')
  else alarms.clear('manifest_expired')
}
