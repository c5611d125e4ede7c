/**
 * Decisions that take authority away, as the trail records them: blocks, pauses, denials, withdrawals, resolutions,
 * connections that ended, and the accounts behind names. Rows of a database that know less of them were altered (decisions, section 20).
 */
import type { Account, ProvenBy } from '../../protocol/credential.js'
import type { JsonObject } from '../../protocol/manifest.js'
import { BLOCK_KINDS, type BlockKind } from '../../protocol/operator.js'
import { chainOf, spendingRecordIn as recordIn } from './spending.js'

interface Decision {
  /** Principal that decided. */
  readonly by: string
  readonly reason: string
  /** Time of the newest entry about it: ms since the epoch. */
  readonly at: number
}

export interface BlockOnTrail extends Decision {
  readonly kind: BlockKind
  readonly value: string
  readonly isLifted: boolean
}

export interface PauseOnTrail extends Decision {
  readonly isResumed: boolean
}

export interface ClosedRequest {
  readonly status: 'denied' | 'returned' | 'withdrawn'
  readonly by: string
  readonly credential: ProvenBy | undefined
  readonly reason: string | null
  readonly at: number
  readonly capability: string
  readonly rootPrincipal: string
  readonly tokenId: string
  readonly digest: string
}

export interface AccountOnTrail {
  readonly account: Account
  readonly principal: string
  readonly at: number
}

/** The newest connection of a person at an upstream system. */
export interface ConnectionOnTrail {
  readonly id: string
  readonly person: string
  readonly upstream: string
  readonly isEnded: boolean
  readonly at: number
}

export interface Decisions {
  readonly blocks: ReadonlyMap<string, BlockOnTrail>
  readonly pauses: ReadonlyMap<string, PauseOnTrail>
  readonly requests: ReadonlyMap<string, ClosedRequest>
  /** Invocation id -> time of the resolution. */
  readonly resolutions: ReadonlyMap<string, number>
  readonly accounts: ReadonlyMap<string, AccountOnTrail>
  /** Person and upstream system -> their newest connection. */
  readonly connections: ReadonlyMap<string, ConnectionOnTrail>
  /** Takes an entry in, in the order of the trail. */
  note(entry: JsonObject): void
  /** Forgets what is older than a time, except blocks and pauses that are in force. */
  forgetBefore(time: number): void
}

interface Noted {
  readonly blocks: Map<string, BlockOnTrail>
  readonly pauses: Map<string, PauseOnTrail>
  readonly requests: Map<string, ClosedRequest>
  readonly resolutions: Map<string, number>
  readonly accounts: Map<string, AccountOnTrail>
  readonly connections: Map<string, ConnectionOnTrail>
}

/** Matches the text of entries that record such a decision. JCS form has no spaces. */
export const DECIDES =
  /"entry_type":"approval_(?:denied|returned|withdrawn)"|"credential":\{"issuer":|"name":"(?:tokens_revoked|block_lifted|(?:block|pause)_in_force|capability_(?:paused|resumed)|invocation_resolved|connection_(?:made|ended))"/u

export function decisionsOnTrail(): Decisions {
  const noted: Noted = {
    blocks: new Map(),
    pauses: new Map(),
    requests: new Map(),
    resolutions: new Map(),
    accounts: new Map(),
    connections: new Map(),
  }
  return {
    ...noted,
    note: (entry) => {
      const at = Date.parse(String(entry['timestamp']))
      noteAccount(noted, entry, at)
      if (entry['entry_type'] === 'operator_action') noteOperation(noted, entry, at)
      if (entry['entry_type'] === 'approval_denied') noteClosed(noted, entry, at, 'denied')
      if (entry['entry_type'] === 'approval_returned') noteClosed(noted, entry, at, 'returned')
      if (entry['entry_type'] === 'approval_withdrawn') noteClosed(noted, entry, at, 'withdrawn')
    },
    forgetBefore: (time) => forget(noted, time),
  }
}

type NoteOperation = (noted: Noted, operated: JsonObject, decision: Decision, entry: JsonObject) => void

/** Effect of an operator's action on the decisions in force. A lifted block never returns. */
const OPERATIONS: { readonly [name: string]: NoteOperation } = {
  tokens_revoked: noteBlock,
  block_in_force: noteBlock,
  block_lifted: ({ blocks }, operated, { at }) => {
    const block = blockIn(operated)
    if (block !== undefined) blocks.set(block.id, { ...block, by: '', reason: '', at, isLifted: true })
  },
  capability_paused: ({ pauses }, operated, decision) =>
    void pauses.set(targetOf(operated, 'capability'), { ...decision, isResumed: false }),
  capability_resumed: ({ pauses }, operated, decision) =>
    void pauses.set(targetOf(operated, 'capability'), { ...decision, isResumed: true }),
  pause_in_force: ({ pauses }, operated, decision) => {
    const capability = targetOf(operated, 'capability')
    if (pauses.get(capability)?.isResumed !== true) pauses.set(capability, { ...decision, isResumed: false })
  },
  invocation_resolved: ({ resolutions }, operated, { at }) =>
    void resolutions.set(targetOf(operated, 'invocation_id'), at),
  connection_made: (noted, operated, { at }, entry) => noteConnection(noted, operated, at, entry, false),
  connection_ended: (noted, operated, { at }, entry) => noteConnection(noted, operated, at, entry, true),
}

function noteOperation(noted: Noted, entry: JsonObject, at: number): void {
  const operated = recordIn(entry['operated'])
  const name = String(operated['name'])
  if (!Object.hasOwn(OPERATIONS, name)) return
  const decision = { by: String(entry['actor_key']), reason: String(operated['reason'] ?? ''), at }
  OPERATIONS[name]!(noted, operated, decision, entry)
}

function noteBlock({ blocks }: Noted, operated: JsonObject, decision: Decision): void {
  const block = blockIn(operated)
  const known = block && blocks.get(block.id)
  if (block === undefined || known?.isLifted === true) return
  blocks.set(block.id, { ...block, ...decision, ...(known && { by: known.by }), isLifted: false })
}

function blockIn(operated: JsonObject) {
  const target = recordIn(operated['target'])
  const kind = BLOCK_KINDS.find((word) => typeof target[word] === 'string')
  const id = operated['block_id']
  if (kind === undefined || typeof id !== 'string') return undefined
  return { id, kind, value: String(target[kind]) }
}

/** Notes the newest connection of a person; what is told late of one that another has replaced changes nothing. */
function noteConnection(
  { connections }: Noted,
  operated: JsonObject,
  at: number,
  entry: JsonObject,
  isEnded: boolean,
): void {
  const [id, upstream] = [targetOf(operated, 'connection_id'), targetOf(operated, 'upstream')]
  const person = String(entry['root_principal'])
  const place = JSON.stringify([person, upstream])
  const known = connections.get(place)
  if (isEnded && known !== undefined && known.id !== id) return
  connections.set(place, { id, person, upstream, isEnded, at })
}

const targetOf = (operated: JsonObject, name: string): string => String(recordIn(operated['target'])[name])

function noteClosed({ requests }: Noted, entry: JsonObject, at: number, status: ClosedRequest['status']): void {
  const { parameters_digest, reason } = recordIn(entry['approval'])
  requests.set(String(entry['approval_request_id']), {
    status,
    by: String(entry['actor_key']),
    credential: entry['credential'] as unknown as ProvenBy | undefined,
    reason: typeof reason === 'string' ? reason : null,
    at,
    capability: String(entry['capability']),
    rootPrincipal: String(entry['root_principal']),
    tokenId: String(entry['token_id']),
    digest: String(parameters_digest),
  })
}

/** Notes the account of an actor who used its credential itself: who bought a root token, or operated. */
function noteAccount({ accounts }: Noted, entry: JsonObject, at: number): void {
  const { entry_type: type, actor_key: principal } = entry
  const { issuer, subject } = recordIn(entry['credential'])
  if (typeof issuer !== 'string' || typeof subject !== 'string' || typeof principal !== 'string') return
  if (type !== 'operator_action' && !(type === 'token_issued' && chainOf(entry).length === 1)) return
  accounts.set(JSON.stringify([issuer, subject, principal]), { account: { issuer, subject }, principal, at })
}

function forget({ blocks, pauses, requests, resolutions, accounts, connections }: Noted, time: number): void {
  for (const [id, { at, isLifted }] of blocks) if (at < time && isLifted) blocks.delete(id)
  for (const [id, { at, isResumed }] of pauses) if (at < time && isResumed) pauses.delete(id)
  for (const [id, { at }] of requests) if (at < time) requests.delete(id)
  for (const [id, at] of resolutions) if (at < time) resolutions.delete(id)
  for (const [id, { at }] of accounts) if (at < time) accounts.delete(id)
  for (const [place, { at }] of connections) if (at < time) connections.delete(place)
}
