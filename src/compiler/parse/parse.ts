import type { Event } from 'js-yaml'
import type { Finding } from '../finding.js'
import { errorFrom } from './excerpt.js'
import { parseFully, type Unsound } from './parse-fully.js'
import { scanDocument } from './scan/scan-block.js'
import type { EntryMemory } from './scan/scanner.js'
import type { YamlNode } from './tree.js'

/** What a text is: a tree with what was found in making it, the events of the full parser, or an error. */
export type Parsed = Sound | Unsound
export type Sound =
  | (Tree & { readonly events?: never; readonly reason?: never; readonly position?: never })
  | { readonly events: readonly Event[]; readonly root?: never; readonly reason?: never; readonly position?: never }
export interface Tree {
  readonly root: YamlNode
  readonly findings: readonly Finding[]
}

/** The full parser meets an error within so many characters of the entry in which it stands, or reads the whole. */
const WINDOW = 32 * 1024

/** What the full parser says, but sooner: the scanner reads what it knows, and where it gives up that one says what is wrong. */
export function parse(text: string, base: number, entries?: EntryMemory, window = WINDOW): Parsed {
  const { root, findings, begun } = scanDocument(text, base, entries)
  if (root !== undefined) return { root, findings }
  return (begun === undefined ? undefined : errorFrom(text, begun, window)) ?? parseFully(text)
}
