import type { ConsoleSession, LiveSession, SessionStore } from '../storage/contract.js'
import { present } from '../json/present.js'
import { recent } from '../rates/recent.js'
import { over } from './over.js'
import { isGenuine, type RowGuard } from './row-guard.js'

const MOST_KNOWN = 20_000

/**
 * Sessions that nobody makes, widens, prolongs or puts back by writing to the database (threat N31). That one has ended
 * is known to the process that ended it, or that has seen it before.
 */
export function guardedSessions(sessions: SessionStore, guard: RowGuard): SessionStore {
  const known = recent<'live' | 'ended'>(MOST_KNOWN)
  return over(sessions, {
    begin: (session, lifetimeMs, idleMs) => {
      const whole = { ...session, ends_at: guard.now() + lifetimeMs }
      return sessions.begin({ ...whole, mac: guard.seal(TABLE, [session.hash], partOf(whole)) }, lifetimeMs, idleMs)
    },
    look: async (hash) => {
      const session = await sessions.look(hash)
      if (session === undefined) {
        if (known.get(hash) !== undefined) known.set(hash, 'ended')
        return undefined
      }
      if (!isGenuine(guard, TABLE, [hash], partOf(session), session.mac)) return undefined
      if (known.get(hash) === 'ended') return void guard.failed(TABLE, [hash])
      known.set(hash, 'live')
      return guard.now() < session.ends_at! ? withoutMac(session) : undefined
    },
    end: async (hash) => {
      await sessions.end(hash)
      known.set(hash, 'ended')
    },
    endAll: async (of) => {
      const ended = await sessions.endAll(of)
      for (const hash of ended) known.set(hash, 'ended')
      return ended
    },
  })
}

const TABLE = 'console_sessions'

const partOf = ({ hash, principal, credential, scopes, caller_classes, roles, ends_at }: ConsoleSession): unknown =>
  present({ hash, principal, credential, scopes, caller_classes, roles, ends_at })

const withoutMac = ({ mac: _, ...session }: LiveSession): LiveSession => session
