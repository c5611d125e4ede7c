/** Of one session. */
export const MOST_OF_A_SESSION = 100
/** Of all sessions: of the root principal that has the most, the session that subscribed first is forgotten. */
const MOST_ADDRESSES = 10_000

export interface Subscriptions {
  /** False where the session has as many as it may have. */
  add(session: string, uri: string, root: string): boolean
  remove(session: string, uri: string): void
  /** Notes that what is at some addresses has changed. */
  changed(isAt: (uri: string) => boolean): void
  /** Gives the changed addresses that a session has not been told of, once. */
  take(session: string): readonly string[]
}

export function subscriptionsInMemory(): Subscriptions {
  /** Session -> address -> whether it changed since the session was told. */
  const sessions = new Map<string, Map<string, boolean>>()
  const roots = new Map<string, string>()
  let count = 0
  const drop = (session: string): void => {
    count -= sessions.get(session)?.size ?? 0
    sessions.delete(session)
    roots.delete(session)
  }
  const forgetOne = (subscribing: string): void => {
    const shares = new Map<string | undefined, number>()
    for (const [session, { size }] of sessions) {
      const root = roots.get(session)
      shares.set(root, (shares.get(root) ?? 0) + size)
    }
    const [largest] = [...shares].reduce((most, each) => (each[1] > most[1] ? each : most))
    const others = [...sessions.keys()].filter((session) => session !== subscribing)
    drop(others.find((session) => roots.get(session) === largest) ?? others[0]!)
  }
  return {
    add: (session, uri, root) => {
      const own = sessions.get(session) ?? new Map<string, boolean>()
      if (own.has(uri)) return true
      if (own.size === MOST_OF_A_SESSION) return false
      if (count === MOST_ADDRESSES) forgetOne(session)
      roots.set(session, root)
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
