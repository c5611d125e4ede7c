import { SCHEMA_REFERENCE } from '../../../../protocol/value-schema.js'
import type { Span } from '../../../finding.js'
import { valueAt } from '../../../parse/tree.js'
import { NODE } from '../../../shape/view.js'

import type { RuleContext } from '../../rule.js'
import { alternativesOf, type Shared } from './alternatives.js'
import { judgeGrowth } from './growth.js'
import { judgeSchema } from './judge-schema.js'
import { fieldSchemas, sharedSchemas, typeWords, type SchemaPlace } from './places.js'
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
  const written = valueAt(context.manifest[NODE], 'x-schemas')
  if (written?.kind === 'scalar' ? written.broken : written?.kind === 'map' && written.faults !== undefined) return []
  const shared = sharedSchemas(context)
  const places: readonly SchemaPlace[] = [...[...shared.values()].map((node) => ({ node })), ...fieldSchemas(context)]
  const names = new Set(shared.keys())
  judgeNames(context, report)
  judgeTypeWords(context, shared, report)
  for (const { node, types } of places) {
    if (node.end - node.start > LONGEST) tooLong(node, report)
    else judgeSchema(node, names, report, types)
  }
  // What leads nowhere, or is no schema, is not followed.
  if (troubles.length > 0) return troubles
  judgeGrowth(places.map(({ node }) => node), shared, report)
  if (troubles.length === 0) for (const place of places) judgeWord(place, shared, report)
  return troubles
}

const NAME = /^[A-Z][A-Za-z0-9]{0,63}$/u

/** A shared schema becomes a type of its name. */
function judgeNames({ manifest }: RuleContext, report: ReportTrouble): void {
  const shared = valueAt(manifest[NODE], 'x-schemas')
  if (shared === undefined) return
  if (shared.kind !== 'map') return report('value', shared, '`x-schemas` is a mapping of names and schemas.')
  for (const key of shared.keys)
    if (!NAME.test(key.value as string))
      report('value', key, `\`${key.value}\` becomes the name of a type; ` +
 'write one such as `OrderLine`: a capital, then letters and digits.')
}

/** The name of a shared schema as the type of a field would be a domain type: a text, whatever is in it. */
function judgeTypeWords(context: RuleContext, shared: Shared, report: ReportTrouble): void {
  for (const { word, node } of typeWords(context))
    if (shared.has(word))
      report('type', node, `\`${word}\` is a schema, and no type: the value would be any text. ` +
 `Write \`type: object\` and \`x-schema: { $ref: '${SCHEMA_REFERENCE}${word}' }\`.`)
}

const tooLong = ({ start, end }: Span, report: ReportTrouble): void =>
  report('size', { start, end: start + 1 }, `The schema has ${end - start} characters; ${LONGEST} are the most.`)

/** A schema narrows the type of its field: what the type does not take, it cannot allow. */
function judgeWord({ word, types, node }: SchemaPlace, shared: Shared, report: ReportTrouble): void {
  if (word === undefined || types === undefined) return
  const alternatives = alternativesOf(node, shared)
  if (typeof alternatives === 'string') return
  for (const named of alternatives.flatMap((schema) => typesAt(schema) ?? [])) {
    if (types.includes(named) || (named === 'integer' && types.includes('number'))) continue
    const remedy = named === 'null' ? 'Write `type: any`, or leave `null` out.' : `Write the \`type\` that holds for both.`
    return report('type', node, `The schema allows values of type ${named}, and the field's type \`${word}\` does not. ${remedy}`)
  }
}

