import type { Diagnostic } from '../diagnostics.js'
import { indexOfKey, valueAt, type YamlNode } from '../parse/tree.js'
import { ruleOf } from '../rules/index.js'
import { fieldSection, withoutLinks, type RulesOfField } from '../report/fields/field-page.js'
import { fieldText } from '../report/fields/texts.js'
import { sentenceOf, type Field, type Shape } from '../shape/field.js'
import { capabilityCard, memberCard } from './capability-card.js'
import { tokenAt, type LocatedToken } from './locate.js'
import type { NameKind } from './naming-rows.js'
import { capabilityNamed, mapAt } from './names.js'
import { invokedBy, namingAt, type Naming } from './namings.js'
import { shapeTitled } from './shapes.js'

/**
 * Returns the hover text at an offset, in Markdown: the findings there with their rules, the target of a reference,
 * and the description of the field.
 */
export function hoverAt(
  roots: readonly YamlNode[],
  offset: number,
  found: readonly Diagnostic[],
  rulesOf: RulesOfField = () => [],
): string | undefined {
  const token = tokenAt(roots, offset)
  const field = token && describe(token.path.at(-1) ?? '', token.field, shapeAround(roots, token), rulesOf)
  const naming = namingAt(roots, offset)
  const card = naming === undefined || naming.isDeclaration ? undefined : CARDS[naming.kind]?.(roots, naming)
  const parts = [...found.map(explained), ...[card, field].filter((part) => part !== undefined)]
  return parts.length === 0 ? undefined : parts.join('\n\n---\n\n')
}

/** The object that a key belongs to, or that the key of a value belongs to. */
function shapeAround(roots: readonly YamlNode[], { isKey, map, path, shape }: LocatedToken): Shape | undefined {
  if (isKey || map === undefined) return shape
  const key = map.keys[indexOfKey(map, path.at(-1) ?? '')]
  return key && tokenAt(roots, key.start)?.shape
}

type CardOf = (roots: readonly YamlNode[], naming: Naming) => string | undefined

const capabilityOf: CardOf = (roots, { name }) => {
  const capability = capabilityNamed(roots, name)
  return capability === undefined ? undefined : capabilityCard(name, capability)
}

/** Hover card of each kind of reference. */
const CARDS: { readonly [kind in NameKind]?: CardOf } = {
  capability: capabilityOf,
  step: (roots, naming) => {
    const name = invokedBy(roots, naming.owner, naming.name)
    return name === undefined ? undefined : capabilityOf(roots, { ...naming, name })
  },
  input: (roots, { owner, name }) => memberCard(name, valueOf(capabilityNamed(roots, owner), 'inputs')),
  output: (roots, { owner, name }) => memberCard(name, valueOf(mapAt(capabilityNamed(roots, owner), 'output'), 'fields')),
} // prettier-ignore

const valueOf = (map: ReturnType<typeof mapAt>, key: string): YamlNode | undefined =>
  map === undefined ? undefined : valueAt(map, key)

/** Returns the documentation of a field, or of one of its words, for the selected proposal. Markdown. */
export function fieldDocumentation(block: string, name: string, word?: string): string | undefined {
  const shape = shapeTitled(block)
  const field = shape?.fields[name]
  if (shape === undefined || field === undefined) return undefined
  const said = word === undefined ? undefined : fieldText(block, name)?.words?.[word]
  return said ?? describe(name, field, shape, () => [])
}

function explained({ code, slug, message }: Diagnostic): string {
  const { description, why } = ruleOf(code)
  return `**${code} ${slug}**: ${message}\n\n${[description, why].filter(Boolean).join(' ')}`
}

/** Returns what `svc explain` prints about a field. */
function describe(
  name: string,
  field: Field | undefined,
  shape: Shape | undefined,
  rulesOf: RulesOfField,
): string | undefined {
  if (field?.about === undefined) return undefined
  const isOfBlock = shape !== undefined && Object.hasOwn(shape.fields, name)
  return `**${name}**\n\n${isOfBlock ? withoutLinks(fieldSection(shape, name, rulesOf)) : sentenceOf(field)}`
}
