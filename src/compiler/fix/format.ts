import { isMap, isScalar, isSeq, parseDocument, visit, type Document, type Pair, type YAMLMap } from 'yaml'
import { FRAGMENT, MANIFEST } from '../shape/fields/manifest.js'
import type { Field, Shape } from '../shape/field.js'
import { joinComments, settleComments } from './settle-comments.js'

/**
 * A manifest with its fields in the order of the interface document and one layout. Comments stay with what they
 * comment. Undefined if the text is no YAML, or if formatting would change what it says. Where an alias would come
 * before its anchor, fields stay in the order that they have.
 */
export const formatManifest = (text: string): string | undefined => laidOut(text, true) ?? laidOut(text, false)

function laidOut(text: string, isOrdered: boolean): string | undefined {
  const document = parseDocument(text, { keepSourceTokens: false, uniqueKeys: false, version: '1.2' })
  if (document.errors.length > 0 || !isMap(document.contents)) return undefined
  const before = contentOf(document)
  if (before === undefined) return undefined
  const shape = document.has('service_identity') || document.has('manifest_metadata') ? MANIFEST : FRAGMENT
  settleComments(document, text)
  if (isOrdered) orderMap(document.contents, shape)
  tightenLists(document)
  const formatted = printed(document)
  if (formatted === undefined) return undefined
  const after: unknown = parseDocument(formatted, { uniqueKeys: false }).toJS()
  return sameContent(before, after) ? formatted : undefined
}

/** Undefined where an alias leads nowhere, to itself or to too much. */
function contentOf(document: Document): string | undefined {
  try {
    return JSON.stringify(document.toJS())
  } catch {
    return undefined
  }
}

/** Undefined where an alias stands before its anchor. */
function printed(document: Document): string | undefined {
  try {
    return joinComments(
      document.toString({
        lineWidth: 120,
        flowCollectionPadding: true,
        indent: 2,
        indentSeq: true,
        minContentWidth: 0,
      }),
    )
  } catch {
    return undefined
  }
}

/** `[a, b]` beside `{ a: b }`, as scaffolds and examples are written; the printer by itself pads both or none. */
function tightenLists(document: Document): void {
  visit(document, {
    Collection: (_, node) => {
      const padding = isSeq(node) ? '' : ' '
      const write = node.toString.bind(node)
      node.toString = (context, ...rest) =>
        write(context === undefined ? context : { ...context, flowCollectionPadding: padding }, ...rest)
    },
  })
}

function orderMap(map: YAMLMap, shape: Shape): void {
  const names = Object.keys(shape.fields)
  const rank = (pair: Pair): number => {
    const index = names.indexOf(keyOf(pair))
    return index === -1 ? names.length : index
  }
  const [first] = map.items
  const lead = first !== undefined && isScalar(first.key) ? first.key.commentBefore : undefined
  map.items.sort((one, other) => rank(one) - rank(other))
  if (first !== undefined && first !== map.items[0]) putFirst(map.items[0], first, lead)
  for (const pair of map.items) {
    const field = shape.fields[keyOf(pair)]
    if (field !== undefined) orderValue(pair.value, field)
  }
}

/**
 * Moves a field to the top. A comment above the first field is about the whole map and stays on top; no blank line is
 * left above the first field.
 */
function putFirst(to: Pair | undefined, from: Pair, comment: string | null | undefined): void {
  if (to === undefined || !isScalar(from.key) || !isScalar(to.key)) return
  to.key.spaceBefore = false
  if (!comment || to.key.commentBefore) return
  from.key.commentBefore = null
  to.key.commentBefore = comment
}

function orderValue(value: unknown, field: Field): void {
  if (field.kind === 'oneOf')
    return orderValue(value, (isMap(value) ? field.map : isSeq(value) ? field.list : field.scalar) ?? { kind: 'any' })
  if (field.kind === 'object' && isMap(value)) orderMap(value, field.shape)
  if (field.kind === 'list' && isSeq(value)) for (const item of value.items) orderValue(item, field.items)
  if (field.kind === 'map' && isMap(value)) for (const pair of value.items) orderValue(pair.value, field.values)
}

const keyOf = ({ key }: Pair): string => String(isScalar(key) ? key.value : key)

/** Equal but for the order of members. */
function sameContent(before: string, after: unknown): boolean {
  return JSON.stringify(sorted(JSON.parse(before))) === JSON.stringify(sorted(JSON.parse(JSON.stringify(after))))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  )
}
