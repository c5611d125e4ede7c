/** Images, sounds and resources that a server behind a service answered with, as MCP clients show them. */
import type { ContentBlock } from '@modelcontextprotocol/server'
import { decodeBase64 } from '../../../crypto/json/base64url.js'
import { isRecord, isText } from '../../../crypto/json/kinds.js'
import type { Json, JsonObject } from '../../../protocol/manifest.js'
import { isForeignOrigin } from '../../../protocol/foreign-answer.js'
import { shownAddress, shownMediaType } from '../../../protocol/foreign-content.js'

export interface WithBlocks {
  readonly blocks: readonly ContentBlock[]
  /** The result without the bytes of its blocks, which a model would read as text. */
  readonly rest: JsonObject
}

/** Takes the blocks out of the answer of an imported tool; any other result has none. */
export function takeBlocks(result: JsonObject): WithBlocks {
  const { origin, content } = result
  if (!isForeignOrigin(origin) || !Array.isArray(content)) return { blocks: [], rest: result }
  const parts = content as readonly Json[]
  const blocks = parts.flatMap((part) => (isRecord(part) ? (blockOf(part) ?? []) : []))
  if (blocks.length === 0) return { blocks: [], rest: result }
  const mark = { type: 'text', text: origin as string } as const
  return {
    blocks: [mark, ...blocks].map((block) => ({ ...block, _meta: { [ORIGIN]: origin } })),
    rest: { ...result, content: parts.map(withoutBytes) },
  }
}

/** Member of `_meta` that marks a block as content of another server. */
const ORIGIN = 'svc-kit/origin'

/** A block of the members that every revision knows; undefined where a client would open, run or draw something else. */
function blockOf({ type, data, mimeType, resource }: JsonObject): ContentBlock | undefined {
  if (type === 'image' || type === 'audio') {
    const kind = shownMediaType(mimeType, type)
    return kind !== undefined && isBase64(data) ? { type, data, mimeType: kind } : undefined
  }
  return type === 'resource' && isRecord(resource) ? resourceBlock(resource) : undefined
}

function resourceBlock({ uri, mimeType, text, blob }: JsonObject): ContentBlock | undefined {
  const address = shownAddress(uri)
  if (address === undefined) return undefined
  const kind = shownMediaType(mimeType, 'resource')
  const about = { uri: address, ...(kind !== undefined && { mimeType: kind }) }
  if (isText(text) && blob === undefined) return { type: 'resource', resource: { ...about, text } }
  return text === undefined && isBase64(blob) ? { type: 'resource', resource: { ...about, blob } } : undefined
}

/** As clients that judge results accept it. */
const isBase64 = (value: Json | undefined): value is string => isText(value) && decodeBase64(value) !== undefined

function withoutBytes(part: Json): Json {
  if (!isRecord(part)) return part
  const { data: _, resource, ...others } = part
  const isUnread = isRecord(resource) && isBase64(resource['blob']) && resource['text'] === undefined
  if (blockOf(part) === undefined && !isUnread) return part
  if (!isRecord(resource)) return others
  const { blob: __, ...about } = resource
  return { ...others, resource: about }
}
