import { createReadStream } from 'node:fs'
import { MAX_DEPTH } from '../../crypto/json/canonical.js'
import { parseStrictJson } from '../../crypto/json/strict-json.js'
import type { PublicJwk } from '../../protocol/jwk.js'
import type { JsonObject } from '../../protocol/manifest.js'
import { CliError } from '../cli-error.js'
import type { Origin, OriginOptions } from './origin.js'

export interface VerifyOptions extends OriginOptions {
  readonly signature?: string
  readonly source?: string
  readonly checkpoint?: string
  readonly since?: string
  readonly format: 'text' | 'json'
}

/** What is to be verified. */
export interface GivenFile {
  readonly bytes: Uint8Array
  readonly file: string
  /** What the service publishes; what each key is for, it does not say. */
  readonly jwks: readonly PublicJwk[]
  readonly options: VerifyOptions
}

/** What a verifier is given. */
export interface Given extends GivenFile {
  readonly origin: Origin
}

const MEGABYTE = 2 ** 20
const MOST_MEGABYTES = 256

/** The bytes of a file, or of standard input; so many at most. */
export async function read(file: string): Promise<Uint8Array> {
  try {
    return await bounded(file === '-' ? process.stdin : createReadStream(file), file)
  } catch (error) {
    if (error instanceof CliError) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new CliError(code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read (${code}).`)
  }
}

async function bounded(input: AsyncIterable<Uint8Array>, file: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of input) {
    length += chunk.length
    if (length > MOST_MEGABYTES * MEGABYTE)
      throw new CliError(
        `${file} has more than ${MOST_MEGABYTES} MiB. An audit export of any size is verified by: svc audit verify`,
      )
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The JSON object in some bytes, or why there is none. */
export function recordIn(bytes: Uint8Array): JsonObject | string {
  const json = parseStrictJson(bytes, { maxDepth: MAX_DEPTH })
  if (!json.ok) return json.reason
  const isRecord = typeof json.value === 'object' && json.value !== null && !Array.isArray(json.value)
  return isRecord ? (json.value as JsonObject) : 'The file does not hold a JSON object.'
}
