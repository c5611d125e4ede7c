import { parseEvents, YAMLException, type Event } from 'js-yaml'

/** What the full parser makes of a text: events, or where it stopped and why. */
export type FullyParsed =
  | { readonly events: readonly Event[]; readonly reason?: never; readonly position?: never }
  | Unsound

export interface Unsound {
  readonly events?: never
  readonly reason: string
  readonly position: number
}

/** Nesting of the parser's own calls; keys and values each take one, so it stands well above the limit of the tree. */
const PARSER_DEPTH = 200

/** The full parser: slow, for every form of YAML, and for saying what is wrong. */
export function parseFully(text: string): FullyParsed {
  try {
    return { events: parseEvents(text, { maxDepth: PARSER_DEPTH }) }
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    return { reason: error.reason, position: error.mark?.position ?? 0 }
  }
}
