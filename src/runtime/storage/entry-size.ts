/** Bounds what one entry of the trail keeps of what callers and handlers wrote (decisions, section 20; threat N28). */
import { canonicalText } from '../../crypto/json/canonical.js'
import { formatHash, sha256 } from '../../crypto/json/digest.js'
import type { AuditEntry } from '../../protocol/audit.js'
import type { Json, JsonObject } from '../../protocol/manifest.js'
import type { RuntimeLimits } from '../limits.js'

export type EntrySizes = Pick<RuntimeLimits, 'auditEntryBytes' | 'auditFieldBytes'>

/** Fields of an entry that has many of them: beyond so many bytes, only length and digest are kept. */
const FIELD_OF_MANY_BYTES = 256

/** An entry whose text has so many bytes, with as much of each field as it may keep. */
export function withinSizes(entry: AuditEntry, bytes: number, sizes: EntrySizes): AuditEntry {
  if (bytes <= sizes.auditFieldBytes) return entry
  const cut = withFields(entry, sizes.auditFieldBytes)
  return bytesOf(cut) <= sizes.auditEntryBytes ? cut : withFields(entry, FIELD_OF_MANY_BYTES)
}

function withFields(entry: AuditEntry, most: number): AuditEntry {
  const { parameters, detail, approval } = entry
  return {
    ...entry,
    parameters: membersWithin(parameters, most),
    ...(detail !== undefined && { detail: textWithin(detail, most) }),
    ...(approval?.preview && { approval: { ...approval, preview: membersWithin(approval.preview, most) } }),
  }
}

const membersWithin = (members: JsonObject, most: number): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, valueWithin(value, most)]))

function valueWithin(value: Json, most: number): Json {
  const text = canonicalText(value)
  const bytes = Buffer.byteLength(text)
  return bytes <= most ? value : { cut: true, bytes, digest: digestIn(text), begins: beginOf(text, most) }
}

function textWithin(text: string, most: number): string {
  const bytes = Buffer.byteLength(text)
  return bytes <= most ? text : `${beginOf(text, most)}… (cut: ${bytes} bytes, ${digestIn(text)})`
}

const digestIn = (text: string): string => formatHash(sha256(text))

/** Bytes of a cut field beside its beginning. */
const FRAME_BYTES = 256

/** The first half of what may be kept: a text that is escaped takes up to twice its bytes. */
function beginOf(text: string, most: number): string {
  const bytes = Buffer.from(text).subarray(0, Math.max(0, (most - FRAME_BYTES) / 2))
  return bytes.toString().replace(/\uFFFD$/u, '')
}

const bytesOf = (value: object): number => Buffer.byteLength(canonicalText(value))
