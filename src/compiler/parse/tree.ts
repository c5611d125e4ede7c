/**
 * A YAML document as a tree of positioned nodes. Offsets are global: each file has its own stretch of them
 * (`sources.ts`).
 */

import type { Span } from '../finding.js'

export type { Span }

export type ScalarValue = string | number | boolean | null

export interface ScalarNode extends Span {
  readonly kind: 'scalar'
  readonly value: ScalarValue
  /** Neither quoted nor a block: its text decided its type. */
  readonly plain: boolean
  /** A finding already covers the value, so nobody else looks at it. */
  readonly broken?: true
}

export interface ListNode extends Span {
  readonly kind: 'list'
  readonly items: YamlNode[]
}

/** Keys and values stand at the same index. Keys are unique strings. */
export interface MapNode extends Span {
  readonly kind: 'map'
  readonly keys: ScalarNode[]
  readonly values: YamlNode[]
  /** Fields that a finding already covers. Whoever looks for an absent field asks here first. */
  faults: Set<string> | undefined
}

export type YamlNode = ScalarNode | ListNode | MapNode

/** Maps longer than this look keys up in an index; the walk over short ones is faster. */
const SHORT = 16
const indexes = new WeakMap<MapNode, Map<string, number>>()

/** The place of a key in a map, or -1. */
export function indexOfKey(map: MapNode, key: string): number {
  if (map.keys.length > SHORT) return indexOf(map).get(key) ?? -1
  for (let index = 0; index < map.keys.length; index++) if (map.keys[index]!.value === key) return index
  return -1
}

function indexOf(map: MapNode): Map<string, number> {
  let index = indexes.get(map)
  if (index === undefined) {
    index = new Map(map.keys.map((key, place) => [key.value as string, place]))
    indexes.set(map, index)
  }
  return index
}

/** Takes a key that the map does not have yet. */
export function pushKey(map: MapNode, key: ScalarNode): void {
  if (map.keys.length > SHORT) indexOf(map).set(key.value as string, map.keys.length)
  map.keys.push(key)
}

export function valueAt(map: MapNode, key: string): YamlNode | undefined {
  const index = indexOfKey(map, key)
  return index === -1 ? undefined : map.values[index]
}

/** Stands for every field: a key was dropped, and nobody knows which one it was meant to be. */
export const EVERY_FIELD = '*'
/** Stands for every optional field: a key is unknown, and may have been meant to be any of them. */
export const OPTIONAL_FIELDS = '?'

/** Says that a finding covers this field, so that nothing else complains about it. */
export function markFault(map: MapNode, field: string): void {
  map.faults ??= new Set()
  map.faults.add(field)
}
