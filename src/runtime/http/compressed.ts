/** Compression of what is long and public, or a page of a list; nothing that repeats a secret is compressed. */
import { gzip, gzipSync } from 'node:zlib'
import { promisify } from 'node:util'
import type { Operation } from '../../protocol/endpoints.js'
import { queryParametersOf } from '../../protocol/query-parameters.js'
import type { HttpRequest, HttpResponse } from './exchange.js'

const LEAST_BYTES = 1024

/** Headers of each answer that is compressed for those who take it. */
export const VARIES = ['vary', 'accept-encoding'] as const
export const GZIP = ['content-encoding', 'gzip'] as const

/** Checks whether a client takes gzip (RFC 9110, section 12.5.3). */
export function takesGzip({ header }: Pick<HttpRequest, 'header'>): boolean {
  const accepted = header('accept-encoding')?.toLowerCase().split(',') ?? []
  const weights = new Map(accepted.map((each) => weightOf(each)))
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0
}

function weightOf(each: string): readonly [coding: string, weight: number] {
  const [coding = '', ...parameters] = each.split(';').map((part) => part.trim())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  return [coding, weight === undefined ? 1 : Number(weight.slice(2))]
}

/** Compressed bytes of documents, each made once. */
const DOCUMENTS = new WeakMap<Uint8Array, Uint8Array>()

/** A document compressed; undefined where it is too short to be worth it. */
export function compressedDocument(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length < LEAST_BYTES) return undefined
  const made = DOCUMENTS.get(bytes) ?? gzipSync(bytes)
  DOCUMENTS.set(bytes, made)
  return made
}

const compress = promisify(gzip)

/** A page of a list, compressed where the client takes that; every other answer as it is. */
export async function withCompression(
  operation: Operation,
  request: HttpRequest,
  response: HttpResponse,
): Promise<HttpResponse> {
  const { status, headers, body } = response
  if (status !== 200 || typeof body !== 'string' || !queryParametersOf(operation).includes('limit')) return response
  const varied = { ...response, headers: [...headers, ...VARIES] }
  if (Buffer.byteLength(body) < LEAST_BYTES || !takesGzip(request)) return varied
  return { ...varied, headers: [...varied.headers, ...GZIP], body: await compress(body) }
}
