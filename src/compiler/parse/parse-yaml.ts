import { parseEvents, YAMLException, type Event } from 'js-yaml'

/** The events of a YAML text, or where it stopped being YAML and why. */
export type Parsed = Events | Broken

export interface Events {
  readonly events: readonly Event[]
  readonly reason?: never
  readonly position?: never
}
export interface Broken {
  readonly events?: never
  readonly reason: string
  readonly position: number
}

/** Nesting of the parser's own calls; keys and values each take one, so it is well above the limit of the tree. */
const PARSER_DEPTH = 200

export function parseYaml(text: string): Parsed {
  try {
    return { events: parseEvents(text, { maxDepth: PARSER_DEPTH }) }
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    return { reason: error.reason, position: error.mark?.position ?? 0 }
  }
}
