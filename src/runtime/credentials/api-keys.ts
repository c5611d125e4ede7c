import { timingSafeEqual } from 'node:crypto'
import { sha256 } from '../../crypto/json/digest.js'
import type { JsonObject } from '../../protocol/manifest.js'
import { isPrincipal, type Principal } from '../../protocol/principals.js'
import type { Role } from '../../protocol/roles.js'
import { isLoopbackClient, STDIO_CLIENT } from '../net/loopback.js'
import type { Log } from '../definition.js'
import { plainCopy } from '../json/plain-copy.js'
import { identityIn } from './identity-in.js'
import { withRoles, type Known } from './known.js'

/** An API key as a service is given it: never the key, only its hash. */
export interface ApiKey {
  /** Names the key on the trail, where it buys a token; a principal may have several keys. */
  readonly id: string
  readonly principal: Principal
  /** Lower-case hex SHA-256 of the key. */
  readonly sha256: string
  /** Scopes a root token may carry; every `minimum_scope` of the manifest when absent, which a file may not leave out. */
  readonly scopes?: readonly string[]
  readonly caller_classes?: readonly string[]
  /** Roles beside requesting tokens; with a role, absent `scopes` are none. */
  readonly roles?: readonly Role[]
  readonly revoked?: boolean
  /** Known only under `svc dev`, to a service that nobody reaches but this machine (decisions, section 20). */
  readonly development?: boolean
  /** RFC 3339: from then on nobody signs in with the key. */
  readonly expires_at?: string
}

/** API keys, and the way to read them again, where there is one. */
export interface ApiKeys extends ReadonlyArray<ApiKey> {
  readonly reload?: () => Promise<ApiKeys>
}

export interface ApiKeyHolder {
  /** Returns the owner of a key, as a client at an address gives it. */
  known(bearer: string, client: string): Known | undefined
  /** Returns the owner of the key with an id, while the key is valid. */
  named(id: string): Known | undefined
  /**
   * Reads the keys again: one that was revoked meanwhile is known no more. Keys that cannot be read leave those at
   * hand.
   */
  reload(): Promise<void>
  /** Makes keys for development known from now on, under `svc dev`: the service is reached from this machine alone. */
  takeDevelopmentKeys(): void
  /** Ids of the keys that are for development. */
  forDevelopment(): readonly string[]
  /** Keys that were read from a valid file and may not be used any more at a time: removed, revoked or expired. */
  ended(at: number): readonly EndedKey[]
  /** Ids that are there, whether they may be used or not. */
  ids(): ReadonlySet<string>
}

/** A key that has ended; of an id that another key goes by, which keys it does not name. */
export interface EndedKey {
  readonly id: string
  /** Key that the valid key of this id replaced. */
  readonly replaced?: string
}

/** Surroundings of the keys. */
interface Surroundings {
  /** True in a process that `svc dev` started. */
  readonly isDevelopment: boolean
  readonly log: Log
}

export function apiKeyHolder(first: ApiKeys, now: () => number, { isDevelopment, log }: Surroundings): ApiKeyHolder {
  let keys: readonly ApiKey[] = plainKeys(first)
  let takesDevelopment = false
  const isOver = (key: ApiKey, at: number): boolean =>
    hasEnded(key, at) || (key.development === true && !takesDevelopment)
  let match = matchOf(keys)
  const tellOnce = onceTelling(log)
  const seen = new Set(keys.map(({ id }) => id))
  const used = new Map<string, string>()
  const noteUsable = (at: number): readonly ApiKey[] => {
    const usable = keys.filter((key) => !isOver(key, at))
    for (const { id, sha256: hash } of usable) used.set(hash, id)
    return usable
  }
  noteUsable(now())
  return {
    known: (bearer, client) => {
      const key = match(bearer)
      if (key === undefined || hasEnded(key, now())) return undefined
      if (key.development === true && !isDevelopment) return tellOnce(key)
      if (key.development === true && !(takesDevelopment && isOfThisMachine(client))) return undefined
      return identityOf(key)
    },
    named: (id) => {
      const named = keys.filter((key) => key.id === id)
      return named.length === 1 && !isOver(named[0]!, now()) ? identityOf(named[0]!) : undefined
    },
    reload: async () => {
      if (first.reload === undefined) return
      const read = plainKeys(await first.reload())
      match = matchOf(read)
      keys = read
      for (const { id } of read) seen.add(id)
      noteUsable(now())
    },
    takeDevelopmentKeys: () => void (takesDevelopment = isDevelopment),
    forDevelopment: () => keys.filter((key) => key.development === true && !hasEnded(key, now())).map(({ id }) => id),
    ended: (at) => {
      const usable = noteUsable(at)
      const ids = new Set(usable.map(({ id }) => id))
      const hashes = new Set(usable.map(({ sha256: hash }) => hash))
      return [
        ...[...seen].filter((id) => !ids.has(id)).map((id) => ({ id })),
        ...[...used]
          .filter(([hash, id]) => ids.has(id) && !hashes.has(hash))
          .map(([replaced, id]) => ({ id, replaced })),
      ]
    },
    ids: () => new Set(keys.map(({ id }) => id)),
  }
}

/** Copies of the keys, read once: what is judged is what is used (decisions, section 20). */
function plainKeys(given: ApiKeys): readonly ApiKey[] {
  const keys = plainCopy([...given]) as object as readonly ApiKey[]
  for (const key of keys) {
    if (typeof key.id !== 'string') throw new TypeError('An API key needs an id.')
    if (isPrincipal(key.principal) && identityIn(key as object as JsonObject) === undefined)
      throw new TypeError(`API key ${key.id}: scopes, caller_classes and roles must be lists of texts.`)
  }
  return keys
}

/** A pair of streams, or a loopback address without a proxy before it. */
const isOfThisMachine = (client: string): boolean => client === STDIO_CLIENT || isLoopbackClient(client)

/** Says, once in a process, why a key for development is unknown here, and what to do. */
function onceTelling(log: Log): (key: ApiKey) => undefined {
  let isTold = false
  return ({ id }) => {
    if (isTold) return
    isTold = true
    log.warn(
      'An API key for development was refused: it is of no use outside of svc dev (createService: development). ' +
        'Run svc dev, or make another key.',
      { api_key_id: id, command: 'svc apikeys add human:… --scope …' },
    )
  }
}

/** Says which key a credential is. Every key is compared, in constant time, whatever the credential. */
function matchOf(keys: readonly ApiKey[]): (bearer: string) => ApiKey | undefined {
  const known = keys.map((key) => ({ key, hash: hashOf(key) }))
  return (bearer) => {
    const hash = sha256(bearer)
    return known.reduce<ApiKey | undefined>(
      (found, { key, hash: own }) => (timingSafeEqual(own, hash) ? key : found),
      undefined,
    )
  }
}

const hasEnded = ({ revoked, expires_at }: ApiKey, now: number): boolean =>
  revoked === true || (expires_at !== undefined && !(now < Date.parse(expires_at)))

function hashOf({ id, sha256: hex, principal }: ApiKey): Buffer {
  if (!/^[0-9a-f]{64}$/u.test(hex)) throw new TypeError(`API key ${id}: sha256 must be 64 lower-case hex digits.`)
  if (!isPrincipal(principal)) throw new TypeError(`API key ${id}: ${JSON.stringify(principal)} is not a principal.`)
  return Buffer.from(hex, 'hex')
}

const identityOf = ({ id, principal, scopes, caller_classes, roles }: ApiKey): Known =>
  withRoles(
    {
      principal,
      credential: { api_key: id },
      ...(scopes === undefined ? {} : { scopes }),
      ...(caller_classes === undefined ? {} : { caller_classes }),
    },
    roles,
  )
