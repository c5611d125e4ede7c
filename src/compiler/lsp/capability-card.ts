import type { MapNode, YamlNode } from '../parse/tree.js'
import { mapAt, memberTexts } from './names.js'
import { memberText } from './namings.js'

/** A capability in short, as Markdown: what it does, what it asks, takes and gives. */
export function capabilityCard(name: string, capability: MapNode): string {
  const title = memberText(capability, 'x-title')
  const rows = ROWS.flatMap(({ label, of }) => {
    const text = of(capability)
    return text === undefined ? [] : [`- ${label}: ${text}`]
  })
  const head = `**${plainText(name)}**${title === undefined ? '' : ` (${plainText(title)})`}`
  const description = memberText(capability, 'description')
  return [head, ...(description === undefined ? [] : [plainText(description)]), rows.join('\n')].join('\n\n').trim()
}

/** An input or an output field in short; undefined if it is not declared. */
export function memberCard(name: string, list: YamlNode | undefined): string | undefined {
  if (list?.kind !== 'list') return undefined
  const item = list.items.find((each) => each.kind === 'map' && memberText(each, 'name') === name)
  if (item?.kind !== 'map') return undefined
  const type = memberText(item, 'type')
  const description = memberText(item, 'description')
  return `**${plainText(name)}**${type === undefined ? '' : `: ${code(type)}`}${description === undefined ? '' : `\n\n${plainText(description)}`}`
}

interface CardRow {
  readonly label: string
  readonly of: (capability: MapNode) => string | undefined
}

const ROWS: readonly CardRow[] = [
  { label: 'effect', of: (capability) => word(memberText(mapAt(capability, 'side_effect'), 'type')) },
  { label: 'asks', of: (capability) => words(memberTexts(capability, ['minimum_scope'], '')) },
  { label: 'approval', of: (capability) => approvalOf(capability) },
  { label: 'cost', of: (capability) => word(memberText(mapAt(capability, 'cost'), 'certainty')) },
  { label: 'inputs', of: (capability) => words(memberTexts(capability, ['inputs'], 'name')) },
  { label: 'output', of: (capability) => words(memberTexts(capability, ['output', 'fields'], 'name')) },
  { label: 'steps', of: (capability) => words(memberTexts(capability, ['composition', 'steps'], 'capability')) },
]

function approvalOf(capability: MapNode): string | undefined {
  const approval = mapAt(capability, 'approval')
  return mapAt(approval, 'required') === undefined ? word(memberText(approval, 'required')) : 'when its conditions hold'
}

const word = (text: string | undefined): string | undefined => (text === undefined ? undefined : code(text))
const words = (found: readonly { readonly value: unknown }[]): string | undefined =>
  found.length === 0 ? undefined : found.map(({ value }) => code(String(value))).join(', ')

const code = (text: string): string => `\`${text.replaceAll('`', '')}\``

/** Escapes text of a manifest's author: no picture, no link. */
const plainText = (text: string): string => text.replaceAll(/[\\`*_{}[\]()#+\-!|<>~:&]/gu, (mark) => `\\${mark}`)
