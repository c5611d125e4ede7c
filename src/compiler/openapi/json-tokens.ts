import { createScanner, parse, type ParseError } from 'jsonc-parser'
import type { Json } from '../../protocol/manifest.js'
import { FAULTS, type FaultText } from './faults.js'

/** `SyntaxKind` of jsonc-parser, which is a const enum. */
const [OPEN_MAP, CLOSE_MAP, OPEN_LIST, CLOSE_LIST, COLON, TEXT, END] = [1, 2, 3, 4, 6, 10, 17]

/** A fault that `JSON.parse` accepts: a key that is there twice, or nesting that nothing here follows. */
export interface JsonFault {
  readonly at: number
  readonly message: FaultText
  readonly isDeep: boolean
}

/** The first fault of a text in JSON, found without recursion: a hostile text may be nested a million deep. */
export function jsonFaultOf(text: string, depth: number): JsonFault | undefined {
  const scanner = createScanner(text, true)
  const open: (Set<string> | undefined)[] = []
  let key = ''
  let at = 0
  for (let token = scanner.scan() as number; token !== END; token = scanner.scan() as number) {
    if (token === OPEN_MAP || token === OPEN_LIST) {
      if (open.length === depth) return { at: scanner.getTokenOffset(), message: deeper(depth), isDeep: true }
      open.push(token === OPEN_MAP ? new Set() : undefined)
    } else if (token === CLOSE_MAP || token === CLOSE_LIST) open.pop()
    else if (token === TEXT) [key, at] = [scanner.getTokenValue(), scanner.getTokenOffset()]
    else if (token === COLON) {
      const keys = open.at(-1)
      if (keys?.has(key) === true) return { at, message: FAULTS.twice.says(JSON.stringify(key)), isDeep: false }
      keys?.add(key)
    }
  }
  return undefined
}

const deeper = (depth: number): FaultText => FAULTS.unread.says(`The document is nested more than ${depth} deep here.`)

/** The value of a text in JSON, with or without comments and commas at the end; undefined for any other text. */
export function commentedJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    const errors: ParseError[] = []
    const value = parse(text, errors, { allowTrailingComma: true }) as Json | undefined
    return errors.length === 0 ? value : undefined
  }
}
