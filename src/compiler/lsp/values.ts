import { CHECKED_INPUT_TYPES } from '../../protocol/words.js'
import type { YamlNode } from '../parse/tree.js'
import type { Field } from '../shape/field.js'
import { formatOf } from '../shape/formats.js'
import type { LocatedToken } from './locate.js'
import { capabilityNamed, declarationsOf, memberTexts, scopeNames } from './names.js'
import { holdsPath, namingRowOf, type NameKind } from './naming-rows.js'
import { invokedBy } from './namings.js'

/** Returns the proposals for a value, or for a name that is a key. */
export function valuesAt(roots: readonly YamlNode[], token: LocatedToken, field: Field | undefined): readonly string[] {
  const { path } = token
  const option = field?.kind === 'oneOf' ? field.scalar : field
  if (option?.kind === 'word') return option.words
  if (option?.kind === 'flag') return ['true', 'false']
  const row = namingRowOf(token)
  if (row !== undefined && !row.isDeclaration) {
    const owner = row.of === 'child' ? invokedBy(roots, path[1] ?? '', path[4]) : path[1]
    return owner === undefined ? [] : NAMED[row.kind](roots, owner)
  }
  if (holdsPath(token)) return path.at(-1) === 'empty_result_path' ? [] : pathsOf(roots, path[1] ?? '')
  const known = KNOWN.find(({ fits }) => fits(path))
  if (known !== undefined) return known.values
  return option?.kind === 'text' && option.format !== undefined ? formatOf(option.format).examples : []
}

type NamesOf = (roots: readonly YamlNode[], owner: string) => readonly string[]

/** The names of each kind that a capability can see. */
const NAMED: { readonly [kind in NameKind]: NamesOf } = {
  capability: (roots) => declarationsOf(roots).map(({ value }) => String(value)),
  scope: (roots) => scopeNames(roots),
  input: (roots, owner) => textsIn(roots, owner, ['inputs'], 'name'),
  output: (roots, owner) => textsIn(roots, owner, ['output', 'fields'], 'name'),
  step: (roots, owner) => textsIn(roots, owner, ['composition', 'steps'], 'id'),
}

const textsIn = (roots: readonly YamlNode[], owner: string, list: readonly string[], member: string) =>
  memberTexts(capabilityNamed(roots, owner), list, member).map(({ value }) => String(value))

interface KnownValues {
  readonly fits: (path: readonly string[]) => boolean
  readonly values: readonly string[]
}

const KNOWN: readonly KnownValues[] = [
  { fits: (path) => path.at(-1) === 'authority_boundary', values: ['same_service'] },
  { fits: (path) => path.at(-1) === 'type' && path.includes('inputs'), values: CHECKED_INPUT_TYPES },
]

/** The parent inputs and the output fields of steps, as paths. */
function pathsOf(roots: readonly YamlNode[], name: string): readonly string[] {
  const inputs = NAMED.input(roots, name).map((input) => `$.input.${input}`)
  const outputs = NAMED.step(roots, name).flatMap((step) => {
    const child = invokedBy(roots, name, step)
    return child === undefined ? [] : NAMED.output(roots, child).map((field) => `$.steps.${step}.output.${field}`)
  })
  return [...inputs, ...outputs]
}
