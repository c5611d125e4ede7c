import type { Span, YamlNode } from '../parse/tree.js'
import { namingAt, usesOf } from './namings.js'

/** Where the name at an offset is declared, in whichever file. A scope is declared nowhere. */
export function definitionAt(roots: readonly YamlNode[], offset: number): Span | undefined {
  const naming = namingAt(roots, offset)
  return naming === undefined ? undefined : usesOf(roots, naming).find(({ isDeclaration }) => isDeclaration)?.span
}
