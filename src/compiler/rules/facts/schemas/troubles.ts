import { SCHEMA_REFERENCE, VALUE_TYPES } from '../../../../protocol/value-schema.js'
import { replace, type Span } from '../../../finding.js'
import { indexOfKey, type MapNode } from '../../../parse/tree.js'
import type { RuleContext } from '../../rule.js'
import { alternativesOf, type Shared } from './alternatives.js'
import { judgeGrowth } from './growth.js'
import { judgeSchema } from './judge-schema.js'
import { fieldSchemas, sharedNode, sharedSchemas, typeWords, type SchemaPlace, type TypeWord } from './places.js'
import type { ReportTrouble, SchemaTrouble } from './trouble.js'
import { typesAt } from './types-at.js'

/** Characters that a schema may have in its file (decisions, section 12). */
const LONGEST = 64 * 1024

/** All that is wrong with the schemas of a manifest; found once, whichever rule asks. */
export function troublesOf(context: RuleContext): readonly SchemaTrouble[] {
  const troubles: SchemaTrouble[] = []
  const known = new Set<string>()
  // A shared schema is reached from many places; what is wrong with it is wrong once.
  const report: ReportTrouble = (kind, span, message, details) => {
    const key = `${kind} ${span.start}`
    if (!known.has(key)) troubles.push({ kind, span, message, ...(details === undefined ? {} : { details }) })
    known.add(key)
  }
  // Where nobody can read what is shared, a reference to it may be right.
  const written = sharedNode(context.manifest)
  if (written?.kind === 'scalar' ? written.broken : written?.kind === 'map' && written.faults !== undefined) return []
  const shared = sharedSchemas(context)
  const places: readonly SchemaPlace[] = [...[...shared.values()].map((node) => ({ node })), ...fieldSchemas(context)]
  // What is called otherwise than a type may be is reported there; who refers to it by the better name is right.
  const names = new Set([...shared.keys()].flatMap((name) => [name, typeNameFor(name) ?? name]))
  judgeNames(context, report)
  judgeTypeWords(context, shared, report)
  for (const { node, types } of places) {
    if (node.end - node.start > LONGEST) tooLong(node, report)
    else judgeSchema(node, names, report, types)
  }
  // What leads nowhere, or is no schema, is not followed.
  if (troubles.length === 0)
    judgeGrowth(
      places.map(({ node }) => node),
      shared,
      report,
    )
  const followed: Shared = troubles.length === 0 ? shared : new Map()
  for (const place of places) judgeWord(place, followed, report)
  return troubles
}

/** Name of a shared schema. */
export const SHARED_NAME = /^[A-Z][A-Za-z0-9]{0,63}$/u

/** A shared schema becomes a type of its name. */
function judgeNames({ manifest }: RuleContext, report: ReportTrouble): void {
  const shared = sharedNode(manifest)
  if (shared === undefined) return
  if (shared.kind !== 'map') return report('value', shared, '`x-schemas` is a mapping of names and schemas.')
  for (const key of shared.keys)
    if (!SHARED_NAME.test(key.value as string))
      report('value', key, `\`${key.value}\` becomes the name of a type; ` +
 `write ${quotedName(key.value as string)}: a capital, then letters and digits.`)
}

const quotedName = (name: string): string => {
  const wanted = typeNameFor(name)
  return wanted === undefined ? 'one such as `OrderLine`' : `\`${wanted}\``
}

/** The name as a type has it: `PurchaseLine` for `purchase_line`. */
function typeNameFor(name: string): string | undefined {
  const wanted = name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/gu, (_, letter: string) => letter.toUpperCase())
  return SHARED_NAME.test(wanted) ? wanted : undefined
}

/** The name of a shared schema as the type of a field would be a domain type: a text, whatever is in it. */
function judgeTypeWords(context: RuleContext, shared: Shared, report: ReportTrouble): void {
  for (const { word, node, field } of typeWords(context))
    if (shared.has(word))
      judgeTypeWord({ word, node, field }, context, shared, report)
}

function judgeTypeWord({ word, node, field }: TypeWord, context: RuleContext, shared: Shared, report: ReportTrouble): void {
  const schema = shared.get(word)!
  const type = (schema.kind === 'map' ? typesAt(schema) : undefined)?.join() ?? 'object'
  const narrowed = `x-schema: { $ref: '${SCHEMA_REFERENCE}${word}' }`
  const message =
    `\`${word}\` is a schema, and no type: the value would be any text. Write \`type: ${type}\` and \`${narrowed}\`.`
  const isEdit = (VALUE_TYPES as readonly string[]).includes(type) && indexOfKey(field, 'x-schema') === -1
  const newText = `${type}${separatorIn(field, context)}${narrowed}`
  report('type', node, message, isEdit ? { suggestion: `type: ${type}`, fix: replace(node, newText) } : {})
}

/** Returns the separator between two fields: a comma within braces, or else a line indented like the first of them. */
function separatorIn({ start }: MapNode, { written }: RuleContext): string {
  if (written({ start, end: start + 1 }) === '{') return ', '
  const before = written({ start: Math.max(0, start - FURTHEST_IN), end: start })
  return `\n${' '.repeat(before.length - before.lastIndexOf('\n') - 1)}`
}

/** Nothing is indented by more. */
const FURTHEST_IN = 200

const tooLong = ({ start, end }: Span, report: ReportTrouble): void =>
  report('size', { start, end: start + 1 }, `The schema has ${end - start} characters; ${LONGEST} are the most.`)

/** A schema narrows the type of its field: what the type does not take, it cannot allow. */
function judgeWord({ word, types, node }: SchemaPlace, shared: Shared, report: ReportTrouble): void {
  if (word === undefined || types === undefined) return
  const alternatives = alternativesOf(node, shared)
  if (typeof alternatives === 'string') return
  for (const named of alternatives.flatMap((schema) => typesAt(schema) ?? [])) {
    // A word that is no type was reported.
    if (!VALUE_TYPES.includes(named)) continue
    if (types.includes(named) || (named === 'integer' && types.includes('number'))) continue
    const remedy = named === 'null' ? 'Write `type: any`, or leave `null` out.' : `Write the \`type\` that holds for both.`
    return report('type', node, `The schema allows values of type ${named}, and the field's type \`${word}\` does not. ${remedy}`)
  }
}

