/**
 * Lower bounds of every allowance, by the audit trail: spending under a token, uses of a grant, and revocations.
 * Database counters below them were set back (security, N08).
 */
import type { Json, JsonObject } from '../../protocol/manifest.js'
import { chainOf, endedTokensOf, mayHaveActed, spendingOf } from './spending.js'

export interface TokenTally {
  /** Undefined while the trail only says that an operator ended it. */
  rootPrincipal: string | undefined
  /** Currency -> minor units. */
  readonly spent: Map<string, bigint>
  /** Number of unknown outcomes settled under it: only settling can lower the spending. */
  resolved: number
  isRevoked: boolean
  /** Of the last entry that it has a part in: ms since the epoch. */
  at: number
}

export interface GrantTally {
  readonly rootPrincipal: string
  readonly requestId: string
  readonly capability: Json
  uses: number
  isRevoked: boolean
  at: number
}

export interface Tallies {
  readonly tokens: ReadonlyMap<string, TokenTally>
  readonly grants: ReadonlyMap<string, GrantTally>
  /** Takes an entry in, in the order of the trail. */
  note(entry: JsonObject): void
  /** Forgets what no entry has touched since a time: it has expired. */
  forgetBefore(time: number): void
}

interface Noted {
  readonly tokens: Map<string, TokenTally>
  readonly grants: Map<string, GrantTally>
  readonly grantOf: Map<string, string>
}

type Note = (noted: Noted, entry: JsonObject, at: number) => void

export function tallies(): Tallies {
  const noted: Noted = { tokens: new Map(), grants: new Map(), grantOf: new Map() }
  return {
    tokens: noted.tokens,
    grants: noted.grants,
    note: (entry) => {
      const type = String(entry['entry_type'])
      const at = Date.parse(String(entry['timestamp']))
      if (type === 'invocation') noteInvocation(noted, entry, at)
      else if (type === 'operator_action') noteOperation(noted, entry, at)
      else if (Object.hasOwn(NOTES, type)) NOTES[type]!(noted, entry, at)
    },
    forgetBefore: (time) => forget(noted, time),
  }
}

function noteSpending(noted: Noted, root: string | undefined, at: number, entry: JsonObject): void {
  const spending = spendingOf(entry)
  if (spending === undefined) return
  for (const id of spending.tokens) {
    const { spent } = tokenOf(noted, id, root, at)
    spent.set(spending.currency, (spent.get(spending.currency) ?? 0n) + spending.units)
  }
}

/** Records an operator's action; its root principal is the operator's. */
function noteOperation(noted: Noted, entry: JsonObject, at: number): void {
  noteSpending(noted, undefined, at, entry)
  if (entry['cost_charged'] !== undefined) for (const id of chainOf(entry)) tokenOf(noted, id, undefined, at).resolved++
  for (const id of endedTokensOf(entry)) tokenOf(noted, id, undefined, at).isRevoked = true
}

function noteInvocation(noted: Noted, entry: JsonObject, at: number): void {
  noteSpending(noted, rootOf(entry), at, entry)
  const grant = noted.grants.get(String(entry['approval_grant_id']))
  if (grant === undefined || grant.capability !== entry['capability'] || !mayHaveActed(entry)) return
  grant.uses++
  grant.at = at
}

const NOTES: { readonly [entryType: string]: Note } = {
  token_revoked: (noted, entry, at) => endToken(noted, entry, at),
  integrity_failure: (noted, entry, at) => {
    if (entry['failure_type'] === 'token_revoked') endToken(noted, entry, at)
    else if (entry['failure_type'] === 'approval_grant_invalid') endGrant(noted, entry['approval_grant_id'], at)
  },
  approval_granted: ({ grants, grantOf }, entry, at) => {
    const { approval_grant_id: id, approval_request_id: requestId, capability = null, root_principal } = entry
    const grant = { rootPrincipal: String(root_principal), requestId: String(requestId), capability, at }
    grants.set(String(id), { ...grant, uses: 0, isRevoked: false })
    grantOf.set(grant.requestId, String(id))
  },
  grant_revoked: (noted, entry, at) => endGrant(noted, entry['approval_grant_id'], at),
  approval_withdrawn: (noted, entry, at) =>
    endGrant(noted, noted.grantOf.get(String(entry['approval_request_id'])), at),
}

function endToken(noted: Noted, entry: JsonObject, at: number): void {
  tokenOf(noted, String(entry['token_id']), rootOf(entry), at).isRevoked = true
}

function endGrant({ grants }: Noted, id: Json | undefined, at: number): void {
  const grant = grants.get(String(id))
  if (grant === undefined) return
  grant.isRevoked = true
  grant.at = at
}

const rootOf = ({ root_principal }: JsonObject): string => String(root_principal)

function tokenOf({ tokens }: Noted, id: string, rootPrincipal: string | undefined, at: number): TokenTally {
  const known = tokens.get(id)
  if (known !== undefined) {
    known.at = at
    known.rootPrincipal ??= rootPrincipal
    return known
  }
  const token = { rootPrincipal, spent: new Map(), resolved: 0, isRevoked: false, at }
  tokens.set(id, token)
  return token
}

function forget({ tokens, grants, grantOf }: Noted, time: number): void {
  for (const [id, { at }] of tokens) if (at < time) tokens.delete(id)
  for (const [id, { at, requestId }] of grants)
    if (at < time) {
      grants.delete(id)
      grantOf.delete(requestId)
    }
}
