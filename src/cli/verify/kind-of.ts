import { parseStrictJson } from '../../crypto/json/strict-json.js'
import { CliError } from '../shared/errors/cli-error.js'
import { ARTEFACT_KINDS, type ArtefactKind } from './kinds.js'

/** The members that give an artefact away. */
const MARKS: readonly (readonly [member: string, kind: ArtefactKind])[] = [
  ['manifest_metadata', 'manifest'],
  ['grant_id', 'grant'],
  ['merkle_root', 'checkpoint'],
  ['svc_audit_export', 'export'],
  ['entry_type', 'entry'],
]

/** Detects the kind of artefact in a file. An export has several lines, and the first says so. */
export function artefactKindOf(bytes: Uint8Array, file: string): ArtefactKind {
  const whole = parseStrictJson(bytes)
  const end = bytes.indexOf(0x0a)
  const json = whole.ok || end < 0 ? whole : parseStrictJson(bytes.subarray(0, end))
  const value = json.ok && typeof json.value === 'object' && json.value !== null ? json.value : {}
  const mark = MARKS.find(([member]) => Object.hasOwn(value, member))
  // A manifest that is so broken that nobody can read it is still a manifest that does not verify.
  if (mark === undefined && /manifest[^/]*\.json$/u.test(file)) return 'manifest'
  if (mark === undefined)
    throw new CliError(
      `${file} does not say what it is. Name its kind: svc verify <${ARTEFACT_KINDS.join('|')}> ${file} --jwks <file>`,
    )
  return mark[1]
}
