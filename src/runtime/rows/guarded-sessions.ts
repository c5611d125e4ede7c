import type { ConsoleSession, LiveSession, SessionStore } from '../storage/contract.js'
import { present } from '../json/present.js'
import { over } from './over.js'
import { isGenuine, type RowGuard } from './row-guard.js'

/** Sessions that nobody makes, widens or prolongs by writing to the database (threat N31). */
export const guardedSessions = (sessions: SessionStore, guard: RowGuard): SessionStore =>
  over(sessions, {
    begin: (session, lifetimeMs, idleMs) => {
      const whole = { ...session, ends_at: guard.now() + lifetimeMs }
      return sessions.begin({ ...whole, mac: guard.seal(TABLE, [session.hash], partOf(whole)) }, lifetimeMs, idleMs)
    },
    look: async (hash) => {
      const session = await sessions.look(hash)
      if (session === undefined || !isGenuine(guard, TABLE, [hash], partOf(session), session.mac)) return undefined
      return guard.now() < session.ends_at! ? withoutMac(session) : undefined
    },
  })

const TABLE = 'console_sessions'

const partOf = ({ hash, principal, credential, scopes, caller_classes, roles, ends_at }: ConsoleSession): unknown =>
  present({ hash, principal, credential, scopes, caller_classes, roles, ends_at })

const withoutMac = ({ mac: _, ...session }: LiveSession): LiveSession => session
