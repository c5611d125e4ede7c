import type { AnsweredEntry, EntryType } from '../../../protocol/audit.js'
import { nameOf } from './people.js'
import { oneLine } from './safe-text.js'

/** Titles of entries that are not calls. */
const TITLES: { readonly [type in Exclude<EntryType, 'invocation'>]: string } = {
  token_issued: 'Token issued',
  token_revoked: 'Token revoked',
  approval_requested: 'Approval requested',
  approval_given: 'Approval',
  approval_granted: 'Approval',
  approval_denied: 'Approval',
  approval_returned: 'Approval',
  approval_withdrawn: 'Approval withdrawn',
  grant_revoked: 'Approval ended',
  integrity_failure: 'The trail was altered',
  erasure: 'Entries erased',
  refusals: 'Calls refused',
  operator_action: 'Operator',
}

export const titleOf = ({ entry_type, capability }: AnsweredEntry): string =>
  entry_type === 'invocation' ? oneLine(capability ?? 'A call', 80) : TITLES[entry_type]

/** The line below it: what it was about, in words that others may have written. */
export function aboutOf(entry: AnsweredEntry): string {
  const { entry_type, capability, issued, approval, operated, refused, erased, failure_type, detail } = entry
  const reason = approval?.reason ?? operated?.reason
  const parts = [
    entry_type === 'invocation' ? undefined : (capability ?? undefined),
    issued && `to ${nameOf(issued.subject)}: ${issued.scope.join(', ')}`,
    approval?.grant_type === 'session_bound' ? 'for a session' : undefined,
    operated && `${operated.name.replaceAll('_', ' ')} ${Object.values(operated.target).join(' ')}`,
    refused && `${refused.count} of ${Object.keys(refused.by_type).join(', ')}`,
    erased && `${erased.count} of them`,
    failure_type ?? undefined,
    reason === undefined ? undefined : `“${reason}”`,
  ]
  const said = parts.filter((part) => part !== undefined && part !== '').join(' · ')
  return oneLine(said === '' ? (detail ?? '') : said)
}

/** Returns the actor of an entry, and on whose behalf it acted. */
export const actorOf = ({ actor_key }: AnsweredEntry): string => nameOf(actor_key)

export const forWhom = ({ actor_key, root_principal }: AnsweredEntry): string | undefined =>
  actor_key === root_principal ? undefined : `for ${nameOf(root_principal)}`
