import type { Span } from '../finding.js'
import { valueAt, type MapNode, type ScalarNode, type YamlNode } from '../parse/tree.js'
import { sourceOf } from '../rules/facts/mappings.js'
import { tokenAt, tokensOf, type LocatedToken } from './locate.js'
import { namingRowOf, holdsPath, type NameKind } from './naming-rows.js'
import { capabilityNamed, mapAt } from './names.js'

/** Name of the manifest. `owner` is the capability that declares it, empty for the manifest itself. */
export interface ManifestName {
  readonly kind: NameKind
  readonly owner: string
  readonly name: string
}

/** One place that writes a name. */
export interface Naming extends ManifestName {
  readonly span: Span
  readonly isDeclaration: boolean
}

/**
 * Every place that writes a name, in the order of the text; with `within`, of these files only. What an alias repeats
 * is written once.
 */
export function namingsOf(roots: readonly YamlNode[], within = roots): readonly Naming[] {
  const found = new Map<number, Naming>()
  for (const root of within)
    for (const token of tokensOf(root)) for (const each of namingsIn(roots, token)) found.set(each.span.start, each)
  return [...found.values()].toSorted((one, other) => one.span.start - other.span.start)
}

/** The name at an offset, in whichever file. */
export function namingAt(roots: readonly YamlNode[], offset: number): Naming | undefined {
  const token = tokenAt(roots, offset)
  if (token === undefined) return undefined
  const found = namingsIn(roots, token)
  return found.find(({ span }) => span.start <= offset && offset <= span.end) ?? onQuote(found, token)
}

/** Beside a whole name there is only its quote. */
const onQuote = ([first]: readonly Naming[], { node }: LocatedToken): Naming | undefined =>
  first?.name === node.value ? first : undefined

/** Every place that writes this very name. */
export const usesOf = (roots: readonly YamlNode[], { kind, owner, name }: ManifestName): readonly Naming[] =>
  namingsOf(roots).filter((each) => each.kind === kind && each.owner === owner && each.name === name)

function namingsIn(roots: readonly YamlNode[], token: LocatedToken): readonly Naming[] {
  const { node, path } = token
  if (typeof node.value !== 'string') return []
  const row = namingRowOf(token)
  const here = path[1] ?? ''
  if (row !== undefined) {
    const { kind, isDeclaration, of } = row
    const owner = of === 'child' ? invokedBy(roots, here, path[4]) : of === 'here' ? here : ''
    const approver = approverIn(token)
    return owner === undefined
      ? []
      : [approver ?? { kind, owner, name: node.value, span: textSpan(node), isDeclaration }]
  }
  return holdsPath(token) ? namesInPath(roots, token, here) : []
}

const APPROVER = 'approver:'

/** `approver:book_flight` names a capability. */
function approverIn({ node, path }: LocatedToken): Naming | undefined {
  const text = String(node.value)
  if (path[1] !== 'approver_scope' || !text.startsWith(APPROVER)) return undefined
  const span = textSpan(node)
  const name = text.slice(APPROVER.length)
  return { kind: 'capability', owner: '', name, span: { ...span, start: span.end - name.length }, isDeclaration: false }
}

/** `$.input.city`, `$.steps.find.output.account`, and `$.account` of a step. */
function namesInPath(roots: readonly YamlNode[], { node, path, map }: LocatedToken, here: string): readonly Naming[] {
  const text = String(node.value)
  const { start, end } = textSpan(node)
  if (end - start !== text.length) return []
  const use = (kind: NameKind, owner: string | undefined, name: string, from: number): readonly Naming[] =>
    owner === undefined
      ? []
      : [{ kind, owner, name, span: { start: start + from, end: start + from + name.length }, isDeclaration: false }]
  if (path.at(-1) === 'empty_result_path') {
    const field = /^\$\.(\w+)$/u.exec(text)?.[1]
    return field === undefined ? [] : use('output', memberText(map, 'capability'), field, 2)
  }
  const source = sourceOf(text)
  if (source === undefined) return []
  if (source.kind === 'input') return use('input', here, source.input, text.length - source.input.length)
  const { step, field } = source
  const ofField = use('output', invokedBy(roots, here, step), field, text.length - field.length)
  return [...use('step', here, step, '$.steps.'.length), ...ofField]
}

/** The capability that a step of a capability invokes. */
export function invokedBy(
  roots: readonly YamlNode[],
  capability: string,
  step: string | undefined,
): string | undefined {
  const steps = stepsIn(capabilityNamed(roots, capability))
  return memberText(
    steps.find((each) => memberText(each, 'id') === step),
    'capability',
  )
}

function stepsIn(capability: MapNode | undefined): readonly MapNode[] {
  const composition = mapAt(capability, 'composition')
  const steps = composition === undefined ? undefined : valueAt(composition, 'steps')
  return steps?.kind === 'list' ? steps.items.filter((each) => each.kind === 'map') : []
}

export function memberText(map: MapNode | undefined, key: string): string | undefined {
  const node = map === undefined ? undefined : valueAt(map, key)
  return node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined
}

/** Without its quotes. A text with escapes is longer than it says, and is one whole. */
export function textSpan({ start, end, plain, value }: ScalarNode): Span {
  const quote = plain ? 0 : 1
  return end - start === String(value).length + 2 * quote ? { start: start + quote, end: end - quote } : { start, end }
}
