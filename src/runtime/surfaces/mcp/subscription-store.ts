/** Of one session. */
export const MOST_OF_A_SESSION = 100
/** Of all sessions: those that subscribed first are forgotten. */
const MOST_ADDRESSES = 10_000

export interface Subscriptions {
  /** False where the session has as many as it may have. */
  add(session: string, uri: string): boolean
  remove(session: string, uri: string): void
  /** Notes that what is at some addresses has changed. */
  changed(isAt: (uri: string) => boolean): void
  /** Gives the changed addresses that a session has not been told of, once. */
  take(session: string): readonly string[]
}

export function subscriptionsInMemory(): Subscriptions {
  /** Session -> address -> whether it changed since the session was told. */
  const sessions = new Map<string, Map<string, boolean>>()
  let count = 0
  const drop = (session: string): void => {
    count -= sessions.get(session)?.size ?? 0
    sessions.delete(session)
  }
  return {
    add: (session, uri) => {
      const own = sessions.get(session) ?? new Map<string, boolean>()
      if (own.has(uri)) return true
      if (own.size === MOST_OF_A_SESSION) return false
      if (count === MOST_ADDRESSES) drop([...sessions.keys()].find((other) => other !== session)!)
      sessions.set(session, own.set(uri, false))
      count += 1
      return true
    },
    remove: (session, uri) => {
      if (sessions.get(session)?.delete(uri) !== true) return
      count -= 1
      if (sessions.get(session)!.size === 0) drop(session)
    },
    changed: (isAt) => {
      for (const own of sessions.values()) for (const uri of own.keys()) if (isAt(uri)) own.set(uri, true)
    },
    take: (session) => {
      const own = sessions.get(session) ?? new Map<string, boolean>()
      const told = [...own].flatMap(([uri, isChanged]) => (isChanged ? [uri] : []))
      for (const uri of told) own.set(uri, false)
      return told
    },
  }
}
