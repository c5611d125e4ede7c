/**
 * Detection of what each role signs, from the bytes alone: a remote signer signs nothing else (decisions, section
 * 13).
 */
import type { Json, JsonObject } from '../../protocol/manifest.js'
import { DELEGATION_TYPE } from '../../protocol/token.js'
import type { KeyRole } from '../../protocol/words.js'
import { headerFor, objectIn } from '../jws/jws-header.js'
import { isRecord } from '../json/kinds.js'

interface ArtefactKind {
  readonly name: string
  readonly role: KeyRole
  /** Of the header. */
  readonly typ?: string
  readonly maxBytes: number
  readonly holds: (payload: JsonObject) => boolean
}

const hasAll =
  (...members: readonly string[]) =>
  (payload: JsonObject): boolean =>
    members.every((member) => Object.hasOwn(payload, member))

const hasOnly =
  (...members: readonly string[]) =>
  (payload: JsonObject): boolean =>
    hasAll(...members)(payload) && Object.keys(payload).length === members.length

const isText = (value: Json | undefined): boolean => typeof value === 'string'

const KINDS: readonly ArtefactKind[] = [
  { name: 'delegation', role: 'tokens', typ: DELEGATION_TYPE, maxBytes: 16_384, holds: ({ iss, jti }) => isText(iss) && isText(jti) },
  { name: 'grant', role: 'tokens', maxBytes: 65_536, holds: hasAll('grant_id', 'approval_request_id', 'approver', 'expires_at') },
  { name: 'manifest', role: 'manifest', maxBytes: 8_388_608, holds: ({ manifest_metadata, capabilities }) => isRecord(manifest_metadata) && isRecord(capabilities) },
  { name: 'checkpoint', role: 'audit', maxBytes: 4_096, holds: hasOnly('checkpoint_id', 'sequence', 'merkle_root', 'entry_count', 'created_at') },
  { name: 'seal', role: 'audit', maxBytes: 4_096, holds: hasOnly('type', 'lines', 'sha256') },
] // prettier-ignore

/** More is no artefact of any role. */
export const MAX_SIGNED_BYTES = Math.max(...KINDS.map(({ maxBytes }) => maxBytes))

export interface Artefact {
  readonly name: string
  readonly role: KeyRole
}

/** Detects the artefact that a key signs; undefined for anything that a service never signs. */
export function artefactIn(bytes: Uint8Array, kid: string): Artefact | undefined {
  if (isNote(bytes)) return { name: 'note', role: 'audit' }
  const text = Buffer.from(bytes).toString('latin1')
  const [header, payload, ...more] = text.split('.', 3)
  if (header === undefined || payload === undefined || more.length > 0) return undefined
  const fitting = KINDS.filter(({ typ, maxBytes }) => header === headerFor(kid, typ) && bytes.length <= maxBytes)
  const json = fitting.length === 0 ? undefined : objectIn(payload)
  return json === undefined ? undefined : fitting.find(({ holds }) => holds(json))
}

/** The text of a checkpoint note: origin, size, root (c2sp.org/tlog-checkpoint). */
function isNote(bytes: Uint8Array): boolean {
  if (bytes.length > 1_024) return false
  return /^[^\s+]+\/svc\/checkpoints\n(?:0|[1-9]\d{0,15})\n[A-Za-z0-9+/]{43}=\n$/u.test(Buffer.from(bytes).toString())
}
