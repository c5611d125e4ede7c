import { MAX_DEPTH } from '../../crypto/json/canonical.js'
import { parseStrictJson } from '../../crypto/json/strict-json.js'
import type { PublicJwk } from '../../protocol/jwk.js'
import type { JsonObject } from '../../protocol/manifest.js'
import type { Origin, OriginOptions } from './origin.js'
import type { SignatureJudge } from './signature-judge.js'

export interface VerifyOptions extends OriginOptions {
  readonly signature?: string
  readonly source?: string
  readonly checkpoint?: string
  readonly since?: string
  readonly allowWithheld?: boolean
  readonly format: 'text' | 'json'
}

/** Artefact to verify. */
export interface GivenFile {
  readonly bytes: Uint8Array
  readonly file: string
  /** Keys that the service publishes; without `use`, their roles are unknown. */
  readonly jwks: readonly PublicJwk[]
  readonly options: VerifyOptions
  readonly verify: SignatureJudge['verify']
}

/** Input of a verifier. */
export interface VerifierInput extends GivenFile {
  readonly origin: Origin
}

/** The JSON object in some bytes, or why there is none. */
export function recordIn(bytes: Uint8Array): JsonObject | string {
  const json = parseStrictJson(bytes, { maxDepth: MAX_DEPTH })
  if (!json.ok) return json.reason
  const isRecord = typeof json.value === 'object' && json.value !== null && !Array.isArray(json.value)
  return isRecord ? (json.value as JsonObject) : 'The file does not hold a JSON object.'
}
