/** Sessions of the console (decisions, section 13). */
import type { ProvenBy } from '../../../protocol/credential.js'
import { foldOf } from '../../../protocol/fold.js'
import type { Principal } from '../../../protocol/principals.js'
import type { ConsoleSession, LiveSession, SessionsOf, SessionStore } from '../session-store.js'
import { integer, json, optionalText, textColumn } from './columns.js'
import { keep, row, rows, sendOnly, type Engine, type Row, type WriteOutcome, type StoragePlan } from './plan.js'

const BEGIN = `
  insert into console_sessions (hash, principal, api_key, credential, entitled, began_at, idle_at, expires_at)
  values (?, ?, ?, ?, ?, :now, :now + ?, :now + ?)`

const LOOK = `
  select hash, principal, api_key, credential, entitled, :now - began_at as age, idle_at - :now as idle_left
  from console_sessions
  where hash = ? and expires_at > :now and idle_at > :now`

const TOUCH = 'update console_sessions set idle_at = :now + ? where hash = ? and expires_at > :now and idle_at > :now'

const END = 'delete from console_sessions where hash = ?'

const SIGNED_IN = 'select distinct principal from console_sessions where principal >= ?'

/** Whose sessions end -> the statement that ends them. */
const END_ALL = {
  principal: 'delete from console_sessions where principal = ? returning hash',
  api_key: 'delete from console_sessions where api_key = ? returning hash',
} as const

export const sessionStore = (engine: Engine): SessionStore => ({
  begin: (session, lifetimeMs, idleMs) => engine.writeSingly(() => begin(session, lifetimeMs, idleMs)),
  look: (hash) => engine.read(() => look(hash)),
  touch: (hash, idleMs) => engine.writeSingly(() => touch(hash, idleMs)),
  end: (hash) => engine.writeSingly(() => end(hash)),
  endAll: (of) => engine.writeSingly(() => endAll(of)),
})

type Entitled = Pick<ConsoleSession, 'scopes' | 'caller_classes' | 'roles' | 'ends_at' | 'mac'>

function* begin(session: ConsoleSession, lifetimeMs: number, idleMs: number): StoragePlan<WriteOutcome<void>> {
  const { hash, principal, credential, scopes, caller_classes, roles, ends_at, mac } = session
  const key = 'api_key' in credential ? credential.api_key : null
  const entitled = JSON.stringify({ scopes, caller_classes, roles, ends_at, mac } satisfies {
    readonly [name in keyof Entitled]: unknown
  })
  yield* sendOnly(BEGIN, hash, principal, key, JSON.stringify(credential), entitled, idleMs, lifetimeMs)
  return keep(undefined)
}

function* look(hash: string): StoragePlan<LiveSession | undefined> {
  const found = yield* row(LOOK, hash)
  if (found === undefined) return undefined
  const credential = json<ProvenBy>(found, 'credential')
  // The column ends sessions with their key.
  if (optionalText(found, 'api_key') !== ('api_key' in credential ? credential.api_key : null)) return undefined
  return {
    hash: textColumn(found, 'hash'),
    principal: textColumn(found, 'principal') as Principal,
    credential,
    ...json<Entitled>(found, 'entitled'),
    age: integer(found, 'age'),
    idleLeft: integer(found, 'idle_left'),
  }
}

function* touch(hash: string, idleMs: number): StoragePlan<WriteOutcome<void>> {
  yield* sendOnly(TOUCH, idleMs, hash)
  return keep(undefined)
}

function* end(hash: string): StoragePlan<WriteOutcome<void>> {
  yield* sendOnly(END, hash)
  return keep(undefined)
}

function* endAll(of: SessionsOf): StoragePlan<WriteOutcome<readonly string[]>> {
  if ('api_key' in of) return keep(hashesIn(yield* rows(END_ALL.api_key, of.api_key)))
  const ended: string[] = []
  for (const stored of yield* rows(SIGNED_IN, '')) {
    const principal = textColumn(stored, 'principal')
    if (foldOf(principal) === foldOf(of.principal)) ended.push(...hashesIn(yield* rows(END_ALL.principal, principal)))
  }
  return keep(ended)
}

const hashesIn = (found: readonly Row[]): readonly string[] => found.map((each) => textColumn(each, 'hash'))
