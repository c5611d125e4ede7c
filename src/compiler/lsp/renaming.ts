import type { YamlNode } from '../parse/tree.js'
import { formatOf, type TextFormat } from '../shape/formats.js'
import type { NameKind } from './naming-rows.js'
import { namingAt, usesOf, type Naming } from './namings.js'

/** Spelling of each kind of name. */
const SPELLING: { readonly [kind in NameKind]: TextFormat } = {
  capability: 'capabilityName',
  input: 'identifier',
  output: 'identifier',
  step: 'identifier',
  scope: 'scope',
}

/** The name at an offset, if it can be renamed: one that the manifest declares, or a scope. */
export function renameableAt(roots: readonly YamlNode[], offset: number): Naming | undefined {
  const naming = namingAt(roots, offset)
  if (naming === undefined || naming.kind === 'scope') return naming
  return usesOf(roots, naming).some(({ isDeclaration }) => isDeclaration) ? naming : undefined
}

/** Returns why a new name is not allowed; undefined if it is. */
export function renameTrouble(roots: readonly YamlNode[], naming: Naming, newName: string): string | undefined {
  const { pattern, also, noun } = formatOf(SPELLING[naming.kind])
  if (!pattern.test(newName) || also?.(newName) === false) return `\`${newName}\` is not ${noun}.`
  if (newName === naming.name) return undefined
  const taken = usesOf(roots, { ...naming, name: newName })
  if (naming.kind === 'scope')
    return taken.length === 0
      ? undefined
      : `\`${newName}\` is asked for already: who holds it would gain more. Choose another name.`
  return taken.some(({ isDeclaration }) => isDeclaration)
    ? `\`${newName}\` is declared already; choose another name.`
    : undefined
}
