/** Content of the answers of MCP servers: what clients would open, run or draw is left out, and listed. */
import { decodeBase64 } from '../../../crypto/json/base64url.js'
import { isRecord, isText } from '../../../crypto/json/kinds.js'
import { shownAddress, shownMediaType } from '../../../protocol/foreign-content.js'
import type { AnswerDeviation } from '../../../protocol/invocation.js'
import type { Json, JsonObject } from '../../../protocol/manifest.js'
import { present } from '../../json/present.js'

export interface ForeignContent {
  readonly content: readonly Json[]
  readonly deviations: readonly AnswerDeviation[]
}

/** Copies the members that are known of each part, and only those. */
export function foreignContent(answered: Json | undefined): ForeignContent {
  const content: Json[] = []
  const deviations: AnswerDeviation[] = []
  for (const part of Array.isArray(answered) ? (answered as readonly Json[]) : []) {
    const leaveOut: LeaveOut = (pointer, expected) =>
      void deviations.push({ pointer: `/content/${content.length}${pointer}`, expected, got: 'another' })
    const known = isRecord(part) ? READ[String(part['type'])]?.(part, leaveOut) : undefined
    if (known === undefined) deviations.push({ pointer: '/content', expected: PARTS, got: 'another part' })
    else content.push(present(known) as JsonObject)
  }
  return { content, deviations }
}

const PARTS = 'parts that are texts, images, sounds, resources or links to resources, of known media types'
const ADDRESS = 'an http or https address'

/** Notes that a member of a part is left out. */
type LeaveOut = (pointer: string, expected: string) => void
type Members = { readonly [name: string]: Json | undefined }
type Read = (part: JsonObject, leaveOut: LeaveOut) => Members | undefined

const media =
  (type: 'image' | 'audio'): Read =>
  ({ data, mimeType }) => {
    const shown = shownMediaType(mimeType, type)
    return shown !== undefined && isBytes(data) ? { type, data, mimeType: shown } : undefined
  }

const READ: { readonly [type: string]: Read } = Object.assign(Object.create(null) as object, {
  text: ({ type, text }) => (isText(text) ? { type, text } : undefined),
  image: media('image'),
  audio: media('audio'),
  resource: ({ resource }, leaveOut) => (isRecord(resource) ? resourceOf(resource, leaveOut) : undefined),
  resource_link: (part, leaveOut) => {
    const { type, name, title, description } = part
    const texts = Object.entries({ name, title, description }).filter(([, each]) => isText(each))
    return { type, ...about(part, leaveOut, ''), ...Object.fromEntries(texts) }
  },
} satisfies { readonly [type: string]: Read })

/** A resource; an image or a recording without an address is shown as such. */
function resourceOf(resource: JsonObject, leaveOut: LeaveOut): Members | undefined {
  const { text, blob, mimeType = null } = resource
  const isOne = isText(text) ? blob === undefined : text === undefined && isBytes(blob)
  if (!isOne) return undefined
  const known = about(resource, leaveOut, '/resource')
  const part = { data: blob ?? null, mimeType }
  const drawn =
    known['uri'] === undefined ? (media('image')(part, leaveOut) ?? media('audio')(part, leaveOut)) : undefined
  return drawn ?? { type: 'resource', resource: present({ ...known, text, blob }) as JsonObject }
}

const isBytes = (value: Json | undefined): boolean => isText(value) && decodeBase64(value) !== undefined

/** The address and the type of a resource. */
function about({ uri, mimeType }: JsonObject, leaveOut: LeaveOut, pointer: string): Members {
  const known = { uri: shownAddress(uri), mimeType: shownMediaType(mimeType, 'resource') }
  if (known.uri === undefined) leaveOut(`${pointer}/uri`, ADDRESS)
  if (known.mimeType === undefined && mimeType !== undefined) leaveOut(`${pointer}/mimeType`, 'a known media type')
  return known
}
