import { RESERVED_KEYS } from '../../protocol/identifiers.js'
import { replace, type FindingDetails } from '../finding.js'
import type { ScalarNode } from '../parse/tree.js'
import { isOldDate, isOldNumber, oldBooleanOf } from '../parse/scalars.js'
import type { Field } from './field.js'
import { fits, formatOf, type Format, type TextFormat } from './formats.js'
import { meantWord } from './meant-word.js'
import type { Misspelling } from './misspellings.js'
import { meant, question } from '../nearest.js'
import type { Owner, ReadContext } from './reading.js'
import { isUnwritten, quoted } from './scalar-text.js'
import { severityOf } from './severity-of.js'
import { wrongType } from './wrong-type.js'

/** The value of a scalar as the field allows it; undefined, and reported, if it does not. */
export function readScalar(field: Field, node: ScalarNode, owner: Owner, reading: ReadContext): unknown {
  const { value } = node
  if (field.kind === 'any') return isWrittenNull(field, node) ? null : readAnyScalar(node, owner, reading)
  if (field.kind === 'text') {
    const text = field.mayBeNull && value === null && node.end > node.start ? 'null' : value
    return typeof text === 'string'
      ? readText(field, node, text, owner, reading)
      : wrongType(field, node, owner, reading)
  }
  if (field.kind === 'word')
    return typeof value === 'string'
      ? readWord(field, node, value, owner, reading)
      : wrongType(field, node, owner, reading)
  if (field.kind === 'flag') return typeof value === 'boolean' ? value : wrongType(field, node, owner, reading)
  if (field.kind === 'number')
    return typeof value === 'number'
      ? readNumber(field, node, value, owner, reading)
      : wrongType(field, node, owner, reading)
  return undefined
}

function readText(
  field: Field & { kind: 'text' },
  node: ScalarNode,
  value: string,
  owner: Owner,
  reading: ReadContext,
): string | undefined {
  if (value.trim() === '' && !field.mayBeBlank) {
    reading.report(field.codes?.blank ?? 'SVC0205', node, `\`${owner.name}\` must not be empty.`)
    return undefined
  }
  if (field.format === undefined) return value
  const format = formatOf(field.format)
  if (fits(format, value)) return value
  const misspelt = format.exact?.find(({ when }) => when.test(value))
  if (misspelt !== undefined) return reportMisspelling(misspelt, node, value, reading)
  return reportFormat(field, format, node, value, reading)
}

function reportMisspelling(misspelt: Misspelling, node: ScalarNode, value: string, reading: ReadContext) {
  const fixed = misspelt.fix?.(value)
  const fix = fixed === undefined ? {} : { suggestion: fixed, fix: replace(node, quoted(fixed, node)) }
  const details = misspelt.isCertain === true ? { ...fix, isCertain: true as const } : fix
  reading.report(misspelt.code, node, misspelt.message(value), details)
  return severityOf(misspelt.code) === 'error' ? fixed : value
}

function reportFormat(
  field: Field & { kind: 'text' },
  format: Format,
  node: ScalarNode,
  value: string,
  reading: ReadContext,
) {
  const fixed = format.fix?.(value)
  const valid = fixed !== undefined && fixed !== value && fits(format, fixed) ? fixed : undefined
  reading.report(
    field.codes?.format ?? 'SVC0206',
    node,
    `\`${shown(value)}\` is ${reasonAgainst(value, field.format, format)}.${question(valid)}`,
    valid === undefined ? {} : respelt(valid, node, value, field.format, format),
  )
  if (isName(field.format)) return value
  return isMeasure(field.format) ? undefined : valid
}

/** Returns the intended text as an edit; a guess if letters differ, or if other places refer to the name. */
function respelt(
  valid: string,
  node: ScalarNode,
  value: string,
  name: TextFormat | undefined,
  { mayGuess }: Format,
): FindingDetails {
  const isGuess = isName(name) || (mayGuess && valid.toLowerCase() !== value.trim().toLowerCase())
  return { suggestion: valid, fix: replace(node, quoted(valid, node)), ...(isGuess ? { isGuess: true } : {}) }
}

function reasonAgainst(value: string, name: TextFormat | undefined, { noun, longest = Infinity }: Format): string {
  if (isName(name) && RESERVED_KEYS.has(value))
    return 'reserved, because every object has a property of that name; choose another'
  const excess = value.length > longest ? `: it has ${value.length} characters, and ${longest} are allowed` : ''
  return `not ${noun}${excess}`
}

/** Checks for a duration or similar measure; its correction is a guess that no other rule should judge. */
const isMeasure = (format: TextFormat | undefined): boolean => format === 'duration' || format === 'cadence'

/** Others refer to a name as it is written. */
const isName = (format: TextFormat | undefined): boolean => format === 'identifier' || format === 'capabilityName'

function readWord(
  field: Field & { kind: 'word' },
  node: ScalarNode,
  value: string,
  owner: Owner,
  reading: ReadContext,
): string | undefined {
  if (field.words.includes(value)) return value
  const lower = value.trim().toLowerCase()
  if (field.words.includes(lower)) {
    const details = { suggestion: lower, fix: replace(node, quoted(lower, node)) }
    reading.report('SVC0211', node, `\`${value}\` is spelt \`${lower}\` here.`, details)
    return lower
  }
  // A value on several lines holds more than a word.
  const near = reading.text(node).includes('\n') ? undefined : meantWord(value, field.words)
  const choice =
    field.words.length === 1 ? `only \`${field.words[0]}\` is allowed` : `choose one of ${field.words.join(', ')}`
  const details = meant(near)
  reading.report(
    field.codes?.word ?? 'SVC0204',
    node,
    `\`${shown(value)}\` is not allowed for \`${owner.name}\`: ${choice}.${question(near)}`,
    details,
  )
  return near
}

function readNumber(
  field: Field & { kind: 'number' },
  node: ScalarNode,
  value: number,
  owner: Owner,
  reading: ReadContext,
): number | undefined {
  reportOldNumber(node, owner, reading)
  const wanted =
    field.integer && !Number.isInteger(value)
      ? 'a whole number'
      : field.atLeast !== undefined && value < field.atLeast
        ? `${field.atLeast} or more`
        : field.above !== undefined && value <= field.above
          ? `more than ${field.above}`
          : undefined
  if (wanted === undefined) return value
  reading.report(
    field.codes?.range ?? 'SVC0209',
    node,
    `\`${owner.name}\` must be ${wanted}; it is ${reading.text(node)}.`,
  )
  return undefined
}

/** Any JSON: only what YAML versions read differently is worth a word. */
/** Null that is written out, where it may be; an empty place is none. */
const isWrittenNull = (field: Field & { kind: 'any' }, { value, start, end }: ScalarNode): boolean =>
  field.mayBeNull === true && value === null && end > start

function readAnyScalar(node: ScalarNode, owner: Owner, reading: ReadContext): unknown {
  const { value } = node
  if (value === null && isUnwritten(node, owner)) return wrongType({ kind: 'any' }, node, owner, reading)
  if (!node.plain) return value
  if (typeof value === 'number') reportOldNumber(node, owner, reading)
  else if (typeof value === 'string') {
    const flag = oldBooleanOf(value)
    if (flag !== undefined) reportOldBoolean(node, value, flag, reading)
    else if (!mayBeOld(value)) return value
    else if (isOldNumber(value)) reportOldNumber(node, owner, reading)
    else if (isOldDate(value)) reportOldDate(node, value, reading)
  }
  return value
}

/** Numbers and dates begin with a digit or a sign; almost no text does. */
const mayBeOld = (text: string): boolean => text.charCodeAt(0) < 58

function reportOldBoolean(node: ScalarNode, value: string, flag: boolean, { report }: ReadContext): void {
  const message = `\`${value}\` is text in YAML 1.2 and ${flag} in YAML 1.1; quote it, or write \`${flag}\`.`
  report('SVC0113', node, message, { fix: replace(node, `"${value}"`) })
}

function reportOldNumber(node: ScalarNode, owner: Owner, { report, text }: ReadContext): void {
  const written = text(node)
  if (node.plain && isOldNumber(written))
    report(
      'SVC0116',
      node,
      `\`${written}\` reads differently in YAML 1.1 and 1.2; quote or rewrite the value of \`${owner.name}\`.`,
    )
}

function reportOldDate(node: ScalarNode, value: string, { report }: ReadContext): void {
  report('SVC0125', node, `\`${value}\` is a date in YAML 1.1 and text in YAML 1.2; quote it.`, {
    fix: replace(node, `"${value}"`),
  })
}

const shown = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text)
