import type { Span } from '../finding.js'
import { valueAt, type MapNode, type ScalarNode, type YamlNode } from '../parse/tree.js'
import type { NameKind } from './naming-rows.js'
import { mapAt, memberTexts } from './names.js'
import { memberText, textSpan } from './namings.js'

/** An entry of an editor's outline. */
export interface ManifestSymbol {
  readonly kind: Exclude<NameKind, 'scope'> | 'section'
  readonly name: string
  readonly detail: string
  /** All that belongs to it. */
  readonly span: Span
  readonly nameSpan: Span
  readonly children: readonly ManifestSymbol[]
}

/** The outline of one file: its sections, its capabilities, and what these declare. */
export function symbolsOf(root: YamlNode): readonly ManifestSymbol[] {
  if (root.kind !== 'map') return []
  return root.keys.map((key, index) => {
    const value = root.values[index]
    const children = key.value === 'capabilities' && value?.kind === 'map' ? capabilitiesIn(value) : []
    return section(key, value, children)
  })
}

const section = (
  key: ScalarNode,
  value: YamlNode | undefined,
  children: readonly ManifestSymbol[],
): ManifestSymbol => ({
  kind: 'section',
  name: String(key.value),
  detail: '',
  span: { start: key.start, end: Math.max(key.end, value?.end ?? 0) },
  nameSpan: textSpan(key),
  children,
})

const capabilitiesIn = ({ keys, values }: MapNode): readonly ManifestSymbol[] =>
  keys.map((key, index) => {
    const value = values[index]
    const capability = value?.kind === 'map' ? value : undefined
    return { ...section(key, value, membersOf(capability)), kind: 'capability', detail: detailOf(capability) }
  })

function detailOf(capability: MapNode | undefined): string {
  const effect = memberText(mapAt(capability, 'side_effect'), 'type')
  const scopes = memberTexts(capability, ['minimum_scope'], '').map(({ value }) => String(value))
  return [effect, scopes.join(', ')].filter(Boolean).join(' · ')
}

/** Lists of a capability -> the member that names an item, and the one that describes it. */
const DECLARED = [
  { kind: 'input', list: ['inputs'], name: 'name', detail: 'type' },
  { kind: 'output', list: ['output', 'fields'], name: 'name', detail: 'type' },
  { kind: 'step', list: ['composition', 'steps'], name: 'id', detail: 'capability' },
] as const

const membersOf = (capability: MapNode | undefined): readonly ManifestSymbol[] =>
  DECLARED.flatMap(({ kind, list, name, detail }) => {
    const above = mapAt(capability, ...list.slice(0, -1))
    const items = above === undefined ? undefined : valueAt(above, list.at(-1)!)
    if (items?.kind !== 'list') return []
    return items.items.flatMap((item): readonly ManifestSymbol[] => {
      const named = item.kind === 'map' ? valueAt(item, name) : item
      if (named?.kind !== 'scalar') return []
      const more = item.kind === 'map' ? (memberText(item, detail) ?? '') : ''
      const text = String(named.value)
      return text === ''
        ? []
        : [{ kind, name: text, detail: more, span: item, nameSpan: textSpan(named), children: [] }]
    })
  })
