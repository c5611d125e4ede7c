import { isRecord } from '../../crypto/json/kinds.js'
import { INVOCATION_ID } from '../../protocol/identifiers.js'
import { INVOKE_MEMBERS, type InvokeRequest } from '../../protocol/invocation.js'
import type { Json, JsonObject } from '../../protocol/manifest.js'
import {
  booleanMember,
  member,
  membersOf,
  isWithin,
  objectMember,
  wordAmong,
  shortText,
  textMember,
  textsMember,
} from '../request/members.js'
import { budgetOfCall } from '../request/budget.js'
import { present } from '../json/present.js'
import { refuse } from '../errors/refusal.js'

const MOST_EFFECTS = 100

/** The body of POST /svc/invoke/{capability} (section 4.6), or a refusal. Lengths count characters. */
export function invokeRequestOf(body: Json | undefined): InvokeRequest {
  const given = membersOf(body, INVOKE_MEMBERS)
  return present({
    parameters:
      objectMember(given, 'parameters') ?? refuse('invalid_parameters', 'The member parameters must be an object.'),
    client_reference_id: textMember(
      given,
      'client_reference_id',
      (text) => isWithin(text, 256),
      'a string of up to 256 characters',
    ),
    task_id: shortText(given, 'task_id'),
    parent_invocation_id: textMember(
      given,
      'parent_invocation_id',
      (id) => INVOCATION_ID.test(id),
      'inv- and 12 lower-case hex digits',
    ),
    upstream_service: shortText(given, 'upstream_service'),
    approval_grant: shortText(given, 'approval_grant'),
    approval: continueMember(given),
    stream: booleanMember(given, 'stream'),
    requested_effects: textsMember(given, 'requested_effects', MOST_EFFECTS),
    budget: budgetOfCall(given),
  })
}

/**
 * The caller's own reference, which every answer echoes that read it, whatever else is wrong with the body (section
 * 4.6).
 */
export function clientReferenceOf(body: Json | undefined): string | undefined {
  const reference = isRecord(body) ? member(body, 'client_reference_id') : undefined
  return typeof reference === 'string' && isWithin(reference, 256) ? reference : undefined
}

/** A grant is named, or looked for; not both. */
function continueMember(given: JsonObject): 'continue' | undefined {
  const word = wordAmong(given, 'approval', ['continue'])
  if (word !== undefined && member(given, 'approval_grant') !== undefined)
    return refuse('invalid_parameters', 'The members approval and approval_grant exclude each other.')
  return word
}

const IDEMPOTENCY_KEY = /^[\u0021-\u007e]{1,255}$/u

/** The value of an `Idempotency-Key` header: 1 to 255 visible ASCII characters. */
export function idempotencyKeyOf(header: string | null): string | undefined {
  if (header === null) return undefined
  if (IDEMPOTENCY_KEY.test(header)) return header
  return refuse('invalid_parameters', 'The Idempotency-Key header must be 1 to 255 visible ASCII characters.')
}
