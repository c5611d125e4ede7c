import { ID_PREFIX, isIdOf, type IdKind } from '../../protocol/identifiers.js'
import type { JsonObject } from '../../protocol/manifest.js'
import { refuse } from '../errors/refusal.js'
import { textMember } from './members.js'
import { shapedTextIn, type Query } from './query.js'

/** Readers of ids, wherever a request has one: an id that the service could not have made is malformed. */

const SHAPES = {
  token: 'a token id (not a JWT)',
  approvalRequest: 'the id of an approval request',
  grant: 'the id of an approval grant',
  checkpoint: 'the id of a checkpoint',
  binding: 'the id of a binding',
  block: 'the id of a block',
} as const satisfies { readonly [kind in IdKind]: string }

const expected = (kind: IdKind): string => `${SHAPES[kind]}, which begins with ${ID_PREFIX[kind]}`

/** The segment `{id}` of a path. */
export function idInPath({ segments }: { readonly segments: Segments }, kind: IdKind): string {
  const id = segments['id'] ?? ''
  return isIdOf(kind, id) ? id : refuse('invalid_parameters', `The id in the path must be ${expected(kind)}.`)
}

type Segments = { readonly [name: string]: string }

/** A member of a body; undefined where it is absent or null. */
export const idMember = (body: JsonObject, name: string, kind: IdKind): string | undefined =>
  textMember(body, name, (id) => isIdOf(kind, id), expected(kind))

/** A query parameter; undefined where it is absent. */
export const idInQuery = (query: Query, name: string, kind: IdKind): string | undefined =>
  shapedTextIn(query, name, (id) => isIdOf(kind, id), expected(kind))
