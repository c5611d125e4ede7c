import type { JsonObject, Json } from '../../protocol/manifest.js'
import type { Field, Shape } from '../shape/field.js'
import { SNIPPETS } from '../shape/snippets.js'

/** A text with places to go on: `$1`, `${2:name}`, as editors take it. */
export interface SnippetText {
  readonly label: string
  readonly text: string
}

/** Returns the snippets for a complete field: blocks with their fields, lists with an item. */
export const blockSnippets = ({ title }: Shape, field: string): readonly SnippetText[] =>
  (SNIPPETS[`${title}.${field}`] ?? []).map(({ label, body }) => ({
    label: `${field}: ${String(label)}`,
    text: `${field}:\n${linesOf(body)
      .map((line) => `  ${line}`)
      .join('\n')}`,
  }))

/** Returns the snippets for one more entry of a map or a list. */
export const entrySnippets = (place: string): readonly SnippetText[] =>
  (SNIPPETS[place] ?? []).map(({ label, body }) => {
    const entry = Array.isArray(body) ? body[0] : body
    return { label: String(label), text: linesOf(entry).join('\n') }
  })

/** The key of a field, with room for its value. In a block of braces everything stays on its line. */
export function fieldSnippet(name: string, field: Field, isInBraces: boolean): string {
  if (field.kind === 'word') return `${name}: \${1|${field.words.join(',')}|}`
  if (field.kind === 'flag') return `${name}: \${1|true,false|}`
  if (field.kind === 'list') return field.items.kind === 'object' && !isInBraces ? `${name}:\n  - $0` : `${name}: [$0]`
  if (field.kind !== 'object' && field.kind !== 'map') return `${name}: $0`
  return isInBraces ? `${name}: { $0 }` : `${name}:\n  $0`
}

/** A value in lines of YAML; texts of snippets need no quotes. */
function linesOf(value: Json | undefined): readonly string[] {
  if (Array.isArray(value)) return value.every(isFlat) ? [flat(value)] : value.flatMap(itemLines)
  if (typeof value !== 'object' || value === null) return [String(value)]
  return Object.entries(value as JsonObject).flatMap(([key, member]) =>
    isFlat(member) ? [`${key}: ${flat(member)}`] : [`${key}:`, ...linesOf(member).map((line) => `  ${line}`)],
  )
}

const itemLines = (item: Json): readonly string[] =>
  linesOf(item).map((line, index) => `${index === 0 ? '- ' : '  '}${line}`)

const isFlat = (value: Json): boolean =>
  typeof value !== 'object' || value === null || (Array.isArray(value) && value.every(isFlat))

const flat = (value: Json): string => (Array.isArray(value) ? `[${value.map(flat).join(', ')}]` : String(value))
