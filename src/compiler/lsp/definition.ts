import type { Span, YamlNode } from '../parse/tree.js'
import { sourceOf } from '../rules/facts/mappings.js'
import { tokenAt, tokensOf, type LocatedToken } from './locate.js'
import { capabilityNamed, declarationOf, memberTexts, namesCapability } from './names.js'

/** Where the name at an offset is declared, in whichever file: a capability, an input, a step. */
export function definitionAt(roots: readonly YamlNode[], offset: number): Span | undefined {
  const token = tokenAt(roots, offset)
  if (token === undefined) return undefined
  const name = String(token.node.value)
  if (namesCapability(token)) return declarationOf(roots, name)
  const { path } = token
  const capability = capabilityNamed(roots, path[1] ?? '')
  const member = (list: readonly string[], key: string, wanted: string) =>
    memberTexts(capability, list, key).find(({ value }) => value === wanted)
  const source = sourceOf(name)
  if (source?.kind === 'input') return member(['inputs'], 'name', source.input)
  if (source?.kind === 'step') return member(['composition', 'steps'], 'id', source.step)
  if (path.at(-2) === 'fields_logged' || path.at(-1) === 'field') return member(['inputs'], 'name', name)
  return token.isKey && STEPWISE.includes(path.at(-2) ?? '') ? member(['composition', 'steps'], 'id', name) : undefined
}

/** What holds a member for each step. */
const STEPWISE = ['input_mapping', 'x-literals']

/** The name of the capability at an offset, and every place that names it. */
export function capabilityUsesAt(
  roots: readonly YamlNode[],
  offset: number,
): { readonly name: string; readonly spans: readonly Span[] } | undefined {
  const token = tokenAt(roots, offset)
  if (token === undefined || !namesCapability(token)) return undefined
  const name = String(token.node.value)
  if (declarationOf(roots, name) === undefined) return undefined
  const spans = roots.flatMap((root) => [...tokensOf(root)]).flatMap((each) => useOf(name, each))
  // What an alias repeats is written once.
  return { name, spans: [...new Map(spans.map((span) => [span.start, span])).values()] }
}

/** Where a token names a capability, if it does: as a whole, or at the end of an approver scope. */
function useOf(name: string, token: LocatedToken): readonly Span[] {
  const { node } = token
  if (node.value === name) return namesCapability(token) ? [node] : []
  if (!isApproverScope(token) || node.value !== `${APPROVER}${name}`) return []
  const quote = node.plain ? 0 : 1
  // A text with escapes is longer than it says.
  if (node.end - node.start !== node.value.length + 2 * quote) return []
  return [{ start: node.end - quote - name.length, end: node.end - quote }]
}

const APPROVER = 'approver:'

const isApproverScope = ({ path }: LocatedToken): boolean => path[0] === 'approvals' && path[1] === 'approver_scope'
