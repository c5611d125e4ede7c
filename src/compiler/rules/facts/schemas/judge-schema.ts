import { SCHEMA_REFERENCE, VALUE_TYPES, type SchemaType } from '../../../../protocol/value-schema.js'
import { meant, nearest, question } from '../../../nearest.js'
import { indexOfKey, type MapNode, type ScalarNode, type YamlNode } from '../../../parse/tree.js'
import { INSTEAD, KEYWORDS } from './keywords.js'
import { boundsTrouble } from './bounds.js'
import { typesAt } from './types-at.js'
import type { ReportTrouble, SchemaReading } from './trouble.js'

/** Schemas inside schemas: as deep as a value of a call may be, and no deeper. */
const DEEPEST = 32

/** Keywords that lead to other schemas. */
export const LEADS = ['$ref', 'anyOf', 'oneOf'] as const
export const ANNOTATING: ReadonlySet<string> = new Set(['title', 'description', '$comment', 'examples', 'deprecated'])

/** Judges one schema, keyword by keyword. `types` are those of the field that it narrows, where it has one. */
export function judgeSchema(
  node: YamlNode,
  names: ReadonlySet<string>,
  report: ReportTrouble,
  types?: readonly SchemaType[],
  depth = 0,
): void {
  if (node.kind === 'scalar' && node.broken) return
  if (node.kind !== 'map') return noMapping(node, names, report)
  const tooDeep = `Schemas are nested more than ${DEEPEST} deep here; put a part under \`x-schemas\`.`
  if (depth > DEEPEST) return report('size', node, tooDeep)
  const inner = (part: YamlNode): void => judgeSchema(part, names, report, undefined, depth + 1)
  const reading: SchemaReading = { report, names, inner }
  for (const [index, key] of node.keys.entries()) readKeyword(node, key, node.values[index]!, reading)
  judgeTypes(node, types, report)
  boundsTrouble(node, report)
}

/** A word in the place of a schema is most likely a type, or the name of a shared schema. */
function noMapping(node: YamlNode, names: ReadonlySet<string>, report: ReportTrouble): void {
  const word = node.kind === 'scalar' ? String(node.value) : ''
  const isType = (VALUE_TYPES as readonly string[]).includes(word)
  const text = names.has(word) ? `{ $ref: '${SCHEMA_REFERENCE}${word}' }` : isType ? `{ type: ${word} }` : undefined
  const rest = text === undefined ? ', such as `type: string`.' : `; write \`${text}\`.`
  report('value', node, `A schema is a mapping of keywords${rest}`)
}

function readKeyword(node: MapNode, key: ScalarNode, value: YamlNode, reading: SchemaReading): void {
  const name = key.value as string
  if (value === undefined || (value.kind === 'scalar' && value.broken)) return
  const keyword = KEYWORDS.get(name)
  if (keyword !== undefined) return keyword.read(value, name, reading)
  const instead = INSTEAD.get(name)
  const near = instead === undefined ? nearest(name, KEYWORDS.keys()) : undefined
  const free = near !== undefined && indexOfKey(node, near) === -1 ? near : undefined
  const details = meant(free)
  const rest = instead === undefined ? question(free) : ` ${instead}`
  reading.report('keyword', key, `\`${name}\` is no keyword of structured values.${rest}`, details)
}

/** Each keyword bounds values of a type that the schema names; what names none has the field's. */
function judgeTypes(node: MapNode, field: readonly SchemaType[] | undefined, report: ReportTrouble): void {
  const keys = node.keys.map(({ value }) => value as string)
  const lead = LEADS.find((keyword) => keys.includes(keyword))
  if (lead !== undefined) return judgeAlone(node, lead, report)
  const bounding = node.keys.filter((key, index) => KEYWORDS.get(key.value as string)?.bounds !== undefined && !isFlagOfField(key, node.values[index]))
  const types = typesAt(node) ?? (keys.includes('enum') || keys.includes('const') ? undefined : field)
  if (types === undefined && bounding.length > 0 && !keys.includes('enum') && !keys.includes('const'))
    return report('type', bounding[0]!, `A schema with \`${bounding[0]!.value}\` names its \`type\`.`)
  // A word that is no type was reported; what it bounds is not known.
  if (types?.some((type) => !VALUE_TYPES.includes(type)) === true) return
  for (const key of bounding) {
    const bounds = KEYWORDS.get(key.value as string)!.bounds!
    if (types === undefined || bounds.some((type) => types.includes(type))) continue
    const says = `\`${key.value}\` bounds values of type ${bounds[0]}; this schema is of type ${types.join(' or ')}.`
    report('type', key, says)
  }
}

/** `required: true` is what a field of the manifest says of itself; that it takes names here is reported, and enough. */
const isFlagOfField = ({ value: name }: ScalarNode, value: YamlNode | undefined): boolean =>
  name === 'required' && value?.kind === 'scalar'

/** Beside a reference or choices stand annotations only: what bounds a value stands where its type does. */
function judgeAlone(node: MapNode, lead: string, report: ReportTrouble): void {
  const beside = node.keys.find(({ value }) => value !== lead && !ANNOTATING.has(value as string) && KEYWORDS.has(value as string)) // prettier-ignore
  if (beside === undefined) return
  report(
      'type',
      beside,
      `\`${beside.value}\` does not go beside \`${lead}\`; write it into the schema that this leads to.`,
    )
}
