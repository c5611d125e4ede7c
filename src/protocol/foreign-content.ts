/**
 * Addresses and media types of other servers that are handed on (decisions, section 20). Clients open, run or draw
 * others: `javascript:`, `data:`, `file:`, `ui:`, `text/html`, `image/svg+xml`. This is the only list.
 */
import { parsedAddress } from './address.js'

const SCHEMES: readonly string[] = ['https:', 'http:']
const LONGEST_ADDRESS = 2_048

/** Kinds of content, and the media types of each. */
const MEDIA_TYPES = {
  image: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
  audio: ['audio/mpeg', 'audio/mp4', 'audio/aac', 'audio/ogg', 'audio/webm', 'audio/flac', 'audio/wav', 'audio/x-wav'],
  document: ['text/plain', 'text/markdown', 'text/csv', 'application/json', 'application/yaml', 'application/pdf', 'application/zip', 'application/gzip', 'application/octet-stream'],
} as const // prettier-ignore

export type ForeignKind = 'image' | 'audio' | 'resource'

/** Media types of a kind of content; those of a resource are all of them. */
export const mediaTypesOf = (kind: ForeignKind): readonly string[] =>
  kind === 'resource' ? Object.values(MEDIA_TYPES).flat() : MEDIA_TYPES[kind]

/** Returns an address of another server as it is handed on; undefined if it is not. */
export function shownAddress(value: unknown): string | undefined {
  const url = typeof value === 'string' && value.length <= LONGEST_ADDRESS ? parsedAddress(value) : undefined
  const isShown = url !== undefined && SCHEMES.includes(url.protocol) && url.username === '' && url.password === ''
  return isShown ? url.href : undefined
}

/** Type, subtype, and a charset at most (RFC 9110, section 8.3.1). */
const MEDIA_TYPE = /^(?<essence>[a-z]{1,20}\/[a-z0-9.+-]{1,60})(?:[ \t]*;[ \t]*charset="?[a-z0-9-]{1,20}"?)?$/iu

/** Returns a media type of another server as it is handed on, without its charset; undefined if it is not. */
export function shownMediaType(value: unknown, kind: ForeignKind): string | undefined {
  const essence = typeof value === 'string' ? MEDIA_TYPE.exec(value)?.groups?.['essence']?.toLowerCase() : undefined
  return essence !== undefined && mediaTypesOf(kind).includes(essence) ? essence : undefined
}
