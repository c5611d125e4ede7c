import type { Span, YamlNode } from '../parse/tree.js'
import { namingAt, usesOf } from './namings.js'

/** Finds the declaration of the name at an offset, in any file. Scopes have no declaration. */
export function definitionAt(roots: readonly YamlNode[], offset: number): Span | undefined {
  const naming = namingAt(roots, offset)
  return naming === undefined ? undefined : usesOf(roots, naming).find(({ isDeclaration }) => isDeclaration)?.span
}
