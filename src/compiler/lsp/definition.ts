import type { Spot, YamlNode } from '../read/tree.js'
import { sourceOf } from '../rules/facts/mappings.js'
import { tokenAt, tokensOf } from './locate.js'
import { capabilityNamed, declarationOf, membersOf, namesCapability } from './names.js'

/** Where the name at an offset is declared, in whichever file: a capability, an input, a step. */
export function definitionAt(roots: readonly YamlNode[], offset: number): Spot | undefined {
  const token = tokenAt(roots, offset)
  if (token === undefined) return undefined
  const name = String(token.node.value)
  if (namesCapability(token)) return declarationOf(roots, name)
  const { path } = token
  const capability = capabilityNamed(roots, path[1] ?? '')
  const member = (list: readonly string[], key: string, wanted: string) =>
    membersOf(capability, list, key).find(({ value }) => value === wanted)
  const source = sourceOf(name)
  if (source?.kind === 'input') return member(['inputs'], 'name', source.input)
  if (source?.kind === 'step') return member(['composition', 'steps'], 'id', source.step)
  if (path.at(-2) === 'fields_logged' || path.at(-1) === 'field') return member(['inputs'], 'name', name)
  return token.isKey && path.at(-2) === 'input_mapping' ? member(['composition', 'steps'], 'id', name) : undefined
}

/** The name of the capability at an offset, and every place that names it. */
export function capabilityUsesAt(
  roots: readonly YamlNode[],
  offset: number,
): { readonly name: string; readonly spots: readonly Spot[] } | undefined {
  const token = tokenAt(roots, offset)
  if (token === undefined || !namesCapability(token)) return undefined
  const name = String(token.node.value)
  if (declarationOf(roots, name) === undefined) return undefined
  const spots = roots
    .flatMap((root) => [...tokensOf(root)])
    .filter((each) => each.node.value === name && namesCapability(each))
    .map(({ node }) => node)
  return { name, spots }
}
