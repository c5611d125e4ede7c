/** Images, sounds and resources that a server behind a service answered with, as MCP clients show them. */
import type { ContentBlock } from '@modelcontextprotocol/server'
import { decodeBase64 } from '../../../crypto/json/base64url.js'
import { isRecord } from '../../../crypto/json/kinds.js'
import type { Json, JsonObject } from '../../../protocol/manifest.js'
import { isForeignOrigin } from '../../../protocol/foreign-answer.js'

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
  const blocks = parts.filter(isBlock)
  if (blocks.length === 0) return { blocks: [], rest: result }
  return { blocks: blocks.map(plain), rest: { ...result, content: parts.map(withoutBytes) } }
}

interface Block extends JsonObject {
  readonly type: 'image' | 'audio' | 'resource'
}

const isText = (value: Json | undefined): value is string => typeof value === 'string'

function isBlock(part: Json): part is Block {
  if (!isRecord(part)) return false
  const { type, data, mimeType, resource } = part
  if (type === 'image' || type === 'audio') return isText(data) && isBase64(data) && isText(mimeType)
  return type === 'resource' && isRecord(resource) && isText(resource['uri']) && hasContent(resource)
}

const hasContent = ({ text, blob }: JsonObject): boolean =>
  isText(blob) ? isBase64(blob) && text === undefined : isText(text) && blob === undefined

/** As clients that judge results accept it. */
const isBase64 = (text: string): boolean => decodeBase64(text) !== undefined

/** A block of the members that every revision knows. */
function plain({ type, data, mimeType, resource }: Block): ContentBlock {
  if (type !== 'resource') return { type, data, mimeType } as ContentBlock
  const { uri, mimeType: kind, text, blob } = resource as JsonObject
  const about = { uri, ...(isText(kind) && { mimeType: kind }) }
  return { type, resource: isText(blob) ? { ...about, blob } : { ...about, text } } as ContentBlock
}

function withoutBytes(part: Json): Json {
  if (!isBlock(part)) return part
  const { data: _, resource, ...others } = part
  if (!isRecord(resource)) return others
  const { blob: __, ...about } = resource
  return { ...others, resource: about }
}
