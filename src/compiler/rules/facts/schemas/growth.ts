import { valueAt, type MapNode, type YamlNode } from '../../../parse/tree.js'
import { alternativesOf, FURTHEST, referredSchema, type Shared } from './alternatives.js'
import { uniqueTrouble } from './bounds.js'
import type { ReportTrouble } from './trouble.js'

/** Limit on how often one part of a value may be checked. */
const MOST_LOOKS = 64

/**
 * Reports schemas that lead back to themselves without a step into the value, and choices under which one part of a
 * value would be looked at again and again: each choice looks at the same member, and at every level there are more of
 * them.
 */
export function judgeGrowth(nodes: readonly YamlNode[], shared: Shared, report: ReportTrouble): void {
  // What one schema leads to was judged, whichever leads there next.
  const growth: Growth = { shared, report, seen: new Map(), path: new Map() }
  for (const schema of nodes) {
    const end = follow({ schema, looks: 1 }, growth)
    growth.path.clear()
    if (end === 'far') return
  }
}

/** A schema, and how many look at the same part of a value there. */
interface Look {
  readonly schema: YamlNode
  readonly looks: number
}

interface Growth {
  readonly shared: Shared
  readonly report: ReportTrouble
  readonly seen: Map<YamlNode, number>
  readonly path: Map<YamlNode, number>
}

/** Walks without recursion: a manifest may have more schemas in a row than a stack has places. */
function follow(from: Look, growth: Growth): 'far' | 'reported' | undefined {
  const open: { readonly key: YamlNode; readonly inner: Iterator<Look> }[] = []
  for (let next: Look | undefined = from; ; ) {
    const key = next === undefined ? undefined : referredSchema(next.schema, growth.shared)
    const inner = next === undefined ? [] : looksInside(next, key!, growth)
    if (typeof inner === 'string') return inner
    if (next !== undefined && inner.length > 0) {
      growth.path.set(key!, next.looks)
      open.push({ key: key!, inner: inner.values() })
    }
    const last = open.at(-1)
    if (last === undefined) return undefined
    next = last.inner.next().value as Look | undefined
    if (next !== undefined) continue
    growth.path.delete(last.key)
    open.pop()
  }
}

/**
 * Returns the checks one level deeper in the value; undefined if that was judged. A shared schema is judged once, by
 * its key.
 */
function looksInside(look: Look, key: YamlNode, growth: Growth): readonly Look[] | 'far' | 'reported' {
  const { schema, looks } = look
  const { shared, report, seen, path } = growth
  if (looks > MOST_LOOKS || looks > (path.get(key) ?? looks)) return tooMany(schema, report)
  const alternatives = alternativesOf(schema, shared)
  if (alternatives === 'loop') return isLoop(schema, report)
  if (alternatives === 'many') return tooMany(schema, report)
  if (alternatives === 'far') return tooFar(schema, report)
  if (path.has(key) || (seen.get(key) ?? 0) >= looks) return []
  seen.set(key, looks)
  for (const each of alternatives) uniqueTrouble(each, shared, report)
  const exclusive = areExclusive(alternatives)
  return [...stepsOf(alternatives).values()].flatMap((inner) =>
    inner.map((each) => ({ schema: each, looks: looks * (exclusive ? 1 : inner.length) })),
  )
}

function tooFar(span: YamlNode, report: ReportTrouble): 'far' {
  report('size', span, `References and choices lead on more than ${FURTHEST} times here without going into the value; ` +
 'refer to the last one.')
  return 'far'
}

function tooMany(span: YamlNode, report: ReportTrouble): 'reported' {
  report('size', span, 'The choices above this schema overlap: one part of a value would be looked at too often. ' +
 'Let them differ in their first property, with `const`.')
  return 'reported'
}

function isLoop(span: YamlNode, report: ReportTrouble): 'reported' {
  report('loop', span, 'This schema leads back to itself without going into the value. ' +
 'A loop goes through `properties`, `additionalProperties` or `items`.')
  return 'reported'
}

const ANY_OTHER = Symbol('any other member')
const ITEM = Symbol('item')
type Step = string | symbol

/** Step into the value -> the schemas that look at what is there. */
function stepsOf(alternatives: readonly MapNode[]): ReadonlyMap<Step, readonly YamlNode[]> {
  const steps = new Map<Step, YamlNode[]>()
  const add = (step: Step, schema: YamlNode | undefined): void => {
    if (schema?.kind === 'map') steps.set(step, [...(steps.get(step) ?? []), schema])
  }
  for (const schema of alternatives) {
    add(ITEM, valueAt(schema, 'items'))
    add(ANY_OTHER, valueAt(schema, 'additionalProperties'))
    const properties = valueAt(schema, 'properties')
    if (properties?.kind === 'map')
      properties.keys.forEach((key, index) => add(key.value as string, properties.values[index]))
  }
  return withOthers(steps)
}

/** Adds the schemas of additional members to each named member of another choice, which they may also match. */
function withOthers(steps: Map<Step, YamlNode[]>): ReadonlyMap<Step, readonly YamlNode[]> {
  const others = steps.get(ANY_OTHER) ?? []
  if (others.length > 0) for (const [step, inner] of steps) if (typeof step === 'string') inner.push(...others)
  return steps
}

const INSIDE = ['properties', 'additionalProperties', 'items'] as const

/**
 * Checks whether the first property of each alternative is a different constant: then only one alternative is checked
 * further.
 */
function areExclusive(alternatives: readonly MapNode[]): boolean {
  const goesInside = (each: MapNode): boolean => INSIDE.some((keyword) => valueAt(each, keyword) !== undefined)
  const objects = alternatives.filter(goesInside)
  const marks = objects.map(markOf)
  return !marks.includes(undefined) && new Set(marks).size === marks.length && new Set(objects.map(firstName)).size <= 1
}

const firstName = (schema: MapNode): unknown => {
  const properties = valueAt(schema, 'properties')
  return properties?.kind === 'map' ? properties.keys[0]?.value : undefined
}

function markOf(schema: MapNode): unknown {
  const properties = valueAt(schema, 'properties')
  const [first] = properties?.kind === 'map' ? properties.values : []
  const mark = first?.kind === 'map' ? valueAt(first, 'const') : undefined
  const required = valueAt(schema, 'required')
  const isRequired =
    required?.kind === 'list' &&
    required.items.some((item) => item.kind === 'scalar' && item.value === firstName(schema))
  return mark?.kind === 'scalar' && isRequired ? mark.value : undefined
}
