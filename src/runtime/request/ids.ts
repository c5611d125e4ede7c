import { ID_PREFIX, INVOCATION_ID, isIdOf, type IdKind } from '../../protocol/identifiers.js'
import type { FailureType } from '../../protocol/failures.js'
import type { JsonObject } from '../../protocol/manifest.js'
import { refuse } from '../errors/refusal.js'
import { textMember } from './members.js'
import { shapedTextIn, type Query } from './query.js'

/** Readers of ids: one that names something is not found if the service could not have made it, as if it were gone. */

interface KindOfId {
  readonly holds: (text: string) => boolean
  readonly expected: string
  /** Failure of an id that names nothing. */
  readonly absent: FailureType
}

const made = (kind: IdKind, what: string, absent: FailureType): KindOfId => ({
  holds: (text) => isIdOf(kind, text),
  expected: `${what}, which begins with ${ID_PREFIX[kind]}`,
  absent,
})

/** Kind of id -> its form, and what is answered where no such thing is: the only place of these facts. */
const IDS = {
  token: made('token', 'a token id (not a JWT)', 'not_found'),
  approvalRequest: made('approvalRequest', 'the id of an approval request', 'approval_request_not_found'),
  grant: made('grant', 'the id of an approval grant', 'approval_request_not_found'),
  checkpoint: made('checkpoint', 'the id of a checkpoint', 'not_found'),
  binding: made('binding', 'the id of a binding', 'not_found'),
  block: made('block', 'the id of a block', 'not_found'),
  connection: made('connection', 'the id of a connection', 'not_found'),
  invocation: {
    holds: (text) => INVOCATION_ID.test(text),
    expected: 'inv- and 12 lower-case hex digits',
    absent: 'not_found',
  },
} as const satisfies { readonly [kind in IdKind | 'invocation']: KindOfId }

export type NamedId = keyof typeof IDS

/** The segment `{id}` of a path. */
export const idInPath = ({ segments }: { readonly segments: Segments }, kind: NamedId): string =>
  named(segments['id'] ?? '', 'The id in the path', kind)

type Segments = { readonly [name: string]: string }

/** A member of a body that names something; undefined where it is absent or null. */
export function idMember(body: JsonObject, name: string, kind: NamedId): string | undefined {
  const id = textMember(body, name, (text) => !isCredential(text), IDS[kind].expected)
  return id === undefined ? undefined : named(id, `The member ${name}`, kind)
}

/** A query parameter that names something; undefined where it is absent. */
export function idInQuery(query: Query, name: string, kind: NamedId): string | undefined {
  const id = query.get(name)
  return id === undefined ? undefined : named(id, `The query parameter ${name}`, kind)
}

/** A query parameter that selects, or a cursor, by the id of a thing; undefined where it is absent. */
export const idFilterIn = (query: Query, name: string, kind: NamedId): string | undefined =>
  shapedTextIn(query, name, IDS[kind].holds, IDS[kind].expected)

function named(id: string, what: string, kind: NamedId): string {
  const { holds, expected, absent } = IDS[kind]
  return holds(id) ? id : refuse(absent, `${what} must be ${expected}.`)
}

/** Checks for the form of a JWT, which is no id of anything: whoever sends one took it for its id. */
const isCredential = (text: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]*$/u.test(text)
