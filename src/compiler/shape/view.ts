import type { UpstreamTerms } from '../../protocol/upstream-terms.js'
import type { Capability, CompositionStep, Input, Json, JsonObject, Manifest } from '../../protocol/manifest.js'
import type { Span } from '../parse/tree.js'
import {
  EVERY_FIELD,
  indexOfKey,
  OPTIONAL_FIELDS,
  valueAt,
  type ListNode,
  type MapNode,
  type YamlNode,
} from '../parse/tree.js'

/** The node that an object or list of the view was read from. */
export const NODE = Symbol('node')
/** The key, or the first token, by which an object or list is known. */
export const OWNER = Symbol('owner')
/** The nodes of a list's items, in the order of the view: broken items are left out of both. */
export const ITEMS = Symbol('items')

interface ObjectOrigin {
  readonly [NODE]: MapNode
  readonly [OWNER]: Span
}
interface ListOrigin {
  readonly [NODE]: ListNode
  readonly [OWNER]: Span
  readonly [ITEMS]: readonly YamlNode[]
}

/**
 * A value as its author wrote it, without defaults and without its broken parts: what is there has the right type,
 * and every object and list knows its place.
 */
export type View<T> = [Json] extends [T]
  ? Json
  : string extends keyof T
    ? [Json] extends [T[string & keyof T]]
      ? JsonObject & ObjectOrigin
      : ViewOf<T>
    : ViewOf<T>

type ViewOf<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? ViewList<View<Item>>
    : ViewObject<T>

export type ViewList<Item> = readonly Item[] & ListOrigin
export type ViewObject<T> = ObjectOrigin & { readonly [K in keyof T]?: View<Exclude<T[K], undefined>> }

/** The extensions of a capability that have a place in the table of fields. */
export interface CapabilityExtensions {
  readonly 'x-title'?: string
  readonly 'x-exclusive-by'?: readonly string[]
  readonly 'x-upstream'?: UpstreamTerms
}

export type ManifestView = View<Manifest>
export type CapabilityView = View<Capability & CapabilityExtensions>
export type InputView = View<Input>
export type StepView = View<CompositionStep>

/** The place of a field's value; the owner's, if the field is absent. */
export const at = (object: ObjectOrigin, field: string): Span => valueAt(object[NODE], field) ?? object[OWNER]

/** The place of a field's key; the owner's, if the field is absent. */
export const keyOf = (object: ObjectOrigin, field: string): Span =>
  object[NODE].keys[indexOfKey(object[NODE], field)] ?? object[OWNER]

/** The place of a list's item. */
export const itemAt = (list: ListOrigin, index: number): Span => list[ITEMS][index] ?? list[OWNER]

/** The place by which an object or list is known: its key, or its first token. */
export const ownerOf = (part: ObjectOrigin | ListOrigin): Span => part[OWNER]

/** Checks whether the author omitted a field, and no finding covers it. */
export function isAbsent(object: ObjectOrigin, field: string): boolean {
  const { faults } = object[NODE]
  if (Object.hasOwn(object, field) || indexOfKey(object[NODE], field) !== -1) return false
  return faults === undefined || !(faults.has(field) || faults.has(EVERY_FIELD) || faults.has(OPTIONAL_FIELDS))
}

/** Checks that no finding covers a field of an object: only then may a rule report missing fields. */
export const isWhole = (object: ObjectOrigin): boolean => object[NODE].faults === undefined

/** Checks whether every item of a list could be read. */
export const hasAllItems = (list: ListOrigin): boolean => list[ITEMS].length === list[NODE].items.length
