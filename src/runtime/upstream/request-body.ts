import { randomUUID } from 'node:crypto'
import { decodeBase64 } from '../../crypto/json/base64url.js'
import type { Json } from '../../protocol/manifest.js'
import { formMembers, formText, type Given } from './http-request.js'
import type { HttpBody, HttpOperation } from './operation.js'
import { textOf } from './serialized.js'

/** A body and its `Content-Type`. */
export interface RequestBody {
  readonly type: string
  readonly content: string | Uint8Array<ArrayBuffer>
}

/**
 * The body of a request: undefined where the operation has none, or none of an optional one is given; the name of an
 * input where that is no base64.
 */
export function requestBodyOf({ body }: HttpOperation, given: readonly Given[]): RequestBody | string | undefined {
  const parts = given.filter((each) => each.in === 'body' || each.in === 'whole-body')
  if (body === undefined || (parts.length === 0 && body.required !== true)) return undefined
  return WRITE[body.as](body, parts)
}

type Write = (body: HttpBody, parts: readonly Given[]) => RequestBody | string | undefined

const WRITE: { readonly [as in HttpBody['as']]: Write } = {
  json: ({ type }, parts) => {
    const whole = parts.find((each) => each.in === 'whole-body')
    return { type, content: JSON.stringify(whole === undefined ? objectOf(parts) : whole.value) }
  },
  form: ({ type }, parts) => ({ type, content: formText(parts) ?? '' }),
  multipart: ({ type }, parts) => multipart(type, parts.flatMap(formMembers)),
  text: ({ type }, [whole]) => ({ type, content: textOf(whole?.value ?? '') }),
  bytes: ({ type }, [whole]) => {
    const content = bytesOf(whole === undefined ? '' : whole.value)
    return content === undefined ? (whole?.name ?? 'body') : { type, content }
  },
}

/** Names come from a document: none may be anything but a member. */
const objectOf = (members: readonly Given[]): object => {
  const body: { [name: string]: Json } = Object.create(null) as object as { [name: string]: Json }
  for (const { name, value } of members) body[name] = value as Json
  return body
}

function bytesOf(value: unknown): Uint8Array<ArrayBuffer> | undefined {
  const bytes = typeof value === 'string' ? decodeBase64(value) : undefined
  return bytes && new Uint8Array(bytes)
}

/** RFC 7578: a part for each value, files with their names, objects as JSON. */
function multipart(type: string, members: readonly Given[]): RequestBody | string {
  const boundary = `svc-kit-${randomUUID()}`
  const chunks: Uint8Array[] = []
  for (const member of members) {
    const isList = Array.isArray(member.value) && member.json !== true
    const values = isList ? (member.value as readonly unknown[]) : [member.value]
    for (const value of values) {
      if (value === null || value === undefined) continue
      const content = member.file === undefined ? Buffer.from(textOf(value)) : bytesOf(value)
      if (content === undefined) return member.name
      chunks.push(Buffer.from(`--${boundary}\r\n${headOf(member, value)}\r\n\r\n`), content, Buffer.from('\r\n'))
    }
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`))
  return { type: `${type}; boundary=${boundary}`, content: new Uint8Array(Buffer.concat(chunks)) }
}

function headOf({ name, file, json }: Given, value: unknown): string {
  const quoted = name.replaceAll(/["\r\n]/gu, encodeURIComponent)
  const about = `Content-Disposition: form-data; name="${quoted}"`
  if (file !== undefined) return `${about}; filename="${quoted}"\r\nContent-Type: ${file}`
  const isJson = json === true || (typeof value === 'object' && value !== null)
  return isJson ? `${about}\r\nContent-Type: application/json` : about
}
