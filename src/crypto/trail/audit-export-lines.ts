/** Lines of an export, read from text that nobody has checked before. */
import type { PublicJwk } from '../../protocol/jwk.js'
import type { Json, JsonObject } from '../../protocol/manifest.js'
import {
  EXPORT_VERSION,
  type CheckpointLine,
  type EntryLine,
  type ExportHeader,
  type SealLine,
} from './audit-export.js'
import { canonicalBytes, canonicalText, MAX_DEPTH } from '../json/canonical.js'
import { readCheckpoint } from '../merkle/checkpoint-proofs.js'
import { readPublicJwk } from '../keys/jwk.js'
import { parseStrictJson } from '../json/strict-json.js'
import { isHash, isPath } from '../json/digest.js'
import { isCount, isRecord, isText } from '../json/kinds.js'

/** No line of an export is shorter: it names its type. What cannot be one is not parsed. */
const SHORTEST = 16
const OPEN_OBJECT = 0x7b

/** The object on a line, if the line is exactly its canonical form. */
export function readLine(bytes: Uint8Array): JsonObject | undefined {
  if (bytes.length < SHORTEST || bytes[0] !== OPEN_OBJECT) return undefined
  const json = parseStrictJson(bytes, { maxDepth: MAX_DEPTH })
  if (!json.ok || !isRecord(json.value)) return undefined
  return Buffer.compare(canonicalBytes(json.value), bytes) === 0 ? json.value : undefined
}

/** The header; keys in it that are not exactly as they are published do not count. */
export function readHeader(line: JsonObject): ExportHeader | undefined {
  const { svc_audit_export, service_id, exported_at, from_sequence, to_sequence, keys } = line
  if (svc_audit_export !== EXPORT_VERSION || !isText(service_id) || !isText(exported_at)) return undefined
  if (!isCount(from_sequence) || from_sequence === 0 || !isCount(to_sequence) || !Array.isArray(keys)) return undefined
  const read = (keys as readonly Json[]).map(publishedKey).filter((key) => key !== undefined)
  return { svc_audit_export, service_id, exported_at, from_sequence, to_sequence, keys: read }
}

function publishedKey(value: Json): PublicJwk | undefined {
  const key = readPublicJwk(value)
  return typeof key !== 'string' && canonicalText(key) === canonicalText(value) ? key : undefined
}

export function readCheckpointLine({ type, checkpoint, path }: JsonObject): CheckpointLine | undefined {
  const read = readCheckpoint(checkpoint)
  return type === 'checkpoint' && read !== undefined && isPath(path) ? { type, checkpoint: read, path } : undefined
}

export function readEntryLine({ type, sequence, path, leaf, leaf_hash }: JsonObject): EntryLine | undefined {
  if (type !== 'entry' || !isCount(sequence) || !isPath(path)) return undefined
  if (isText(leaf) && leaf_hash === undefined) return { type, sequence, path, leaf }
  return isHash(leaf_hash) && leaf === undefined ? { type, sequence, path, leaf_hash } : undefined
}

/** A seal has its four members and no others: all but the signature are what is signed. */
export function readSealLine({ type, lines, sha256, signature, ...others }: JsonObject): SealLine | undefined {
  if (type !== 'seal' || Object.keys(others).length > 0) return undefined
  return isCount(lines) && isHash(sha256) && isText(signature) ? { type, lines, sha256, signature } : undefined
}

/** The entry in a leaf, if it is one in canonical form with a sequence. */
export function entryIn(leaf: string): (JsonObject & { readonly sequence: number }) | undefined {
  const json = parseStrictJson(leaf, { maxDepth: MAX_DEPTH })
  if (!json.ok || !isRecord(json.value) || canonicalText(json.value) !== leaf) return undefined
  const { sequence } = json.value
  return isCount(sequence) ? { ...json.value, sequence } : undefined
}
