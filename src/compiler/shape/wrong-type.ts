import { replace, type FindingDetails, type Report } from '../finding.js'
import { oldBooleanOf } from '../parse/scalars.js'
import type { ScalarNode, YamlNode } from '../parse/tree.js'
import { meant, question } from '../nearest.js'
import type { Field, Shape } from './field.js'
import { fits, formatOf } from './formats.js'
import { meantWord } from './meant-word.js'
import type { Owner, ReadContext } from './reading.js'
import { scalarFits } from './value-fits.js'
import { isUnwritten, quoted } from './scalar-text.js'

/** Reports a node of the wrong kind, by the rule that explains it best. Its value is of no use. */
export function wrongType(field: Field, node: YamlNode, owner: Owner, reading: ReadContext): undefined {
  if (node.kind === 'scalar' && node.value === null) return noValue(node, owner, reading)
  if (node.kind === 'scalar' && scalarSlip(field, node, node, owner, reading)) return undefined
  if (node.kind === 'scalar' && flagForWord(field, node, owner, reading)) return undefined
  if (field.kind === 'flag' && namesOfMembers(node, owner, reading)) return undefined
  const details = node.kind === 'scalar' ? unquoted(field, node) : {}
  reading.report(
    field.codes?.type ?? 'SVC0203',
    placeOf(node, owner),
    `\`${owner.name}\` must be ${nounOf(field)}, but is ${found(node, reading)}${withoutDash(field, node, reading)}.`,
    details,
  )
}

/** Reports a flag in place of a word: `true` most likely means always, and `false` never. */
function flagForWord(field: Field, node: ScalarNode, owner: Owner, { report }: ReadContext): boolean {
  if (field.kind !== 'word' || typeof node.value !== 'boolean' || !field.words.includes('always')) return false
  const message = `\`${owner.name}\` must be ${nounOf(field)}, but is ${node.value}.`
  if (node.value) report('SVC0203', node, `${message}${question('always')}`, meant('always'))
  else report('SVC0203', node, `${message} Remove the block where nothing is needed.`)
  return true
}

/** Beside a schema that is written out, `required` lists its members. In an input it says whether there must be one. */
function namesOfMembers(node: YamlNode, owner: Owner, { report, text }: ReadContext): boolean {
  if (owner.name !== 'required' || node.kind !== 'list') return false
  const written = text(node)
  const wanted = `x-schema: { required: ${written.startsWith('[') && !written.includes('\n') ? written : '[…]'} }`
  const message =
    '`required` says true or false here: whether the input must be given. The list of members that must be'
  report('SVC0210', owner.span, `${message} there belongs inside \`x-schema\`: \`${wanted}\`.`, { suggestion: wanted })
  return true
}

/** Dashes before the fields of a mapping make a list of it: which one is too much. */
function withoutDash(field: Field, node: YamlNode, { text }: ReadContext): string {
  if ((field.kind !== 'object' && field.kind !== 'map') || node.kind !== 'list') return ''
  const key = node.items.find((item) => item.kind === 'map')?.keys[0]
  const isBlock = !text({ start: node.start, end: node.start + 1 }).startsWith('[')
  return key === undefined || !isBlock ? '' : `; remove the \`-\` before \`${String(key.value)}\``
}

/** A collection is underlined by its key, a scalar by itself. */
const placeOf = (node: YamlNode, owner: Owner) => (node.kind === 'scalar' ? node : owner.span)

function noValue(node: ScalarNode, owner: Owner, { report, text }: ReadContext): undefined {
  const swallowed =
    isUnwritten(node, owner) &&
    text({ start: node.end, end: node.end + 3 })
      .trimEnd()
      .endsWith('#')
  if (swallowed)
    report('SVC0122', node, `\`#\` after a space starts a comment, so \`${owner.name}\` has no value; quote the value.`)
  else
    report(
      'SVC0121',
      node,
      `\`${owner.name}\` has no value; write one or remove the ${owner.name.endsWith(']') ? 'item' : 'key'}.`,
    )
}

/** Slips that have a rule of their own. True if one was reported. */
function scalarSlip(field: Field, node: ScalarNode, span: YamlNode, owner: Owner, reading: ReadContext): boolean {
  if (field.kind === 'flag' && oldBoolean(node, reading)) return true
  if (field.kind === 'text' && typeof node.value === 'number') return numberForText(field, node, reading)
  if (field.kind === 'object') return scalarForObject(field.shape, node, owner, reading)
  if (field.kind !== 'list') return false
  const written = reading.text(node)
  if (node.plain && /^(?:-\S|[•‣◦▪–—]\s)/u.test(written)) return gluedItem(node, written, owner, reading)
  if (/\n\s*- /u.test(written)) {
    const message = `\`${owner.name}\` must be a list; a \`-\` is missing before its first item.`
    reading.report('SVC0213', node, message)
    return true
  }
  const details: FindingDetails = { suggestion: `[${written}]`, fix: replace(span, `[${written}]`) }
  if (scalarFits(field.items, node))
    reading.report('SVC0213', node, `\`${owner.name}\` must be a list; write \`[${written}]\`.`, details)
  else reading.report('SVC0213', node, `\`${owner.name}\` must be a list${ofItems(field.items)}.`)
  return true
}

/** Describes the required members of an item that is no scalar. */
function ofItems(items: Field): string {
  const names = items.kind === 'object' ? mandatoryOf(items.shape).map((name) => `\`${name}\``) : []
  return names.length === 0 ? '' : ` of mappings with ${names.join(' and ')}`
}

const mandatoryOf = ({ fields }: Shape): readonly string[] =>
  Object.keys(fields).filter((name) => fields[name]!.required)

/** An item without the space that makes its mark one. Several such lines are one text, so nothing is fixed unasked. */
function gluedItem(node: ScalarNode, written: string, owner: Owner, { report, text }: ReadContext): true {
  const wanted = `- ${written.slice(1).trimStart()}`
  const mark = written.charAt(0)
  const reason =
    mark === '-' ? 'a space is missing after the `-` of its item' : `\`${mark}\` begins no item, write \`-\``
  const message = `\`${owner.name}\` must be a list; ${reason}.`
  const isBelow = text({ start: owner.span.end, end: node.start }).includes('\n')
  const fix = isBelow ? replace(node, wanted) : replace(node, `[${written.slice(1).trimStart()}]`)
  report('SVC0213', node, message, written.includes('\n') ? {} : { suggestion: wanted, fix, isGuess: true })
  return true
}

function oldBoolean(node: ScalarNode, { report }: ReadContext): boolean {
  const flag = typeof node.value === 'string' && node.plain ? oldBooleanOf(node.value) : undefined
  if (flag === undefined) return false
  const message = `\`${String(node.value)}\` is text in YAML 1.2 and ${flag} in YAML 1.1; write \`${flag}\`.`
  report('SVC0113', node, message, { suggestion: String(flag), fix: replace(node, String(flag)) })
  return true
}

function numberForText(field: Field & { kind: 'text' }, node: ScalarNode, { report, text }: ReadContext): boolean {
  const written = text(node)
  const format = field.format === undefined ? undefined : formatOf(field.format)
  const lossless = format === undefined || fits(format, written)
  const wanted = lossless ? written : (format.fix?.(written) ?? written)
  const isFit = format === undefined || fits(format, wanted)
  const details: FindingDetails = {
    suggestion: JSON.stringify(wanted),
    fix: replace(node, JSON.stringify(wanted)),
    ...(lossless ? {} : { isGuess: true }),
  }
  const remedy = isFit ? `text is expected; write "${wanted}"` : `${format.noun} is expected${inUnits(field, written)}`
  const message = `\`${written}\` is the number ${String(node.value)}, where ${remedy}.`
  report('SVC0114', node, message, isFit ? details : {})
  return true
}

/** Suggests units for a bare number in place of a duration: only the author knows its unit. */
function inUnits({ format }: Field & { kind: 'text' }, written: string): string {
  if (format !== 'duration' || !/^[1-9]\d{0,5}$/u.test(written)) return ''
  return `: \`${durationOfSeconds(Number(written))}\` for seconds, \`P${written}D\` for days`
}

/** 900 seconds are `PT15M`. */
function durationOfSeconds(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3600), 'H'],
    [Math.floor(seconds / 60) % 60, 'M'],
    [seconds % 60, 'S'],
  ] as const
  return `PT${parts.flatMap(([count, unit]) => (count === 0 ? [] : [`${count}${unit}`])).join('')}`
}

function scalarForObject(shape: Shape, node: ScalarNode, owner: Owner, { report, text }: ReadContext): boolean {
  const mandatory = mandatoryOf(shape)
  const { scalarMeans } = shape
  const written = text(node)
  if (node.plain && gluedField(shape, node, written, owner, report)) return true
  if (scalarMeans !== undefined && (mandatory.length < 2 || shape.codes?.type !== undefined)) {
    const { rest, ...details } = mappingFor(shape, scalarMeans, node, written)
    report(shape.codes?.type ?? 'SVC0203', node, `\`${owner.name}\` must be a mapping${rest}`, details)
    return true
  }
  if (!owner.name.endsWith(']')) return false
  report(shape.codes?.type ?? 'SVC0214', node, `\`${owner.name}\` must be a mapping ${fieldsOfItem(shape, mandatory)}.`)
  return true
}

/** Describes the required fields of an item, or its first fields if none is required. */
function fieldsOfItem({ fields }: Shape, mandatory: readonly string[]): string {
  const names = mandatory.length > 0 ? mandatory : Object.keys(fields).slice(0, 2)
  const listed = names.map((name) => `\`${name}\``)
  return mandatory.length > 0 ? `with ${listed.join(' and ')}` : `of fields such as ${listed.join(' or ')}`
}

/** The mapping that a scalar in its place means: what it would say must fit its field, or nothing is fixed unasked. */
function mappingFor(
  shape: Shape,
  name: string,
  node: ScalarNode,
  written: string,
): FindingDetails & { readonly rest: string } {
  const field = shape.fields[name]!
  const wanted = `{ ${name}: ${written} }`
  if (scalarFits(field, node)) return { rest: `; write \`${wanted}\`.`, suggestion: wanted, fix: replace(node, wanted) }
  const amount = shape.amountMeans?.(written)
  if (amount !== undefined) return { rest: `; write \`${amount}\`.` }
  const near = field.kind === 'word' && typeof node.value === 'string' ? meantWord(node.value, field.words) : undefined
  const guess = `{ ${name}: ${near} }`
  if (near !== undefined)
    return { rest: `.${question(guess)}`, suggestion: guess, fix: replace(node, guess), isGuess: true }
  const example = exampleOf(field)
  return { rest: example === undefined ? ` with \`${name}\`.` : `, such as \`{ ${name}: ${String(example)} }\`.` }
}

function exampleOf(field: Field): unknown {
  if (field.kind === 'word') return field.words[0]
  const ofFormat = field.kind === 'text' && field.format !== undefined ? formatOf(field.format).examples : []
  return field.examples?.[0] ?? ofFormat[0]
}

/** A field whose colon has no space after it, or is another character. */
function gluedField(shape: Shape, node: ScalarNode, written: string, owner: Owner, report: Report): boolean {
  const [, name = '', value = ''] = /^([a-z_]+)\s*(?:::?|=>?|;|[：﹕︓∶])\s*(.*)$/u.exec(written) ?? []
  if (!Object.hasOwn(shape.fields, name)) return false
  const wanted = `${name}: ${value}`.trimEnd()
  const message = `\`${owner.name}\` must be a mapping; a \`:\` and a space are missing after \`${name}\`.`
  const isSimple = /^[^\s,{}[\]#][^,{}[\]#]*$/u.test(value)
  const details = isSimple ? ({ suggestion: wanted, fix: replace(node, `{ ${wanted} }`), isGuess: true } as const) : {}
  report(shape.codes?.type ?? 'SVC0203', node, message, details)
  return true
}

/** A quoted number or flag is fixed by taking its quotes away. */
function unquoted(field: Field, node: ScalarNode): FindingDetails {
  const { value } = node
  if (typeof value === 'boolean' && field.kind === 'text')
    return { suggestion: `"${value}"`, fix: replace(node, `"${value}"`), isGuess: true }
  const isNumber = field.kind === 'number' && typeof value === 'string' && /^-?\d+(?:\.\d+)?$/u.test(value)
  const isFlag = field.kind === 'flag' && (value === 'true' || value === 'false')
  return isNumber || isFlag ? { suggestion: String(value), fix: replace(node, String(value)) } : {}
}

function nounOf(field: Field): string {
  switch (field.kind) {
    case 'text':
      return 'text'
    case 'word':
      return `one of ${field.words.join(', ')}`
    case 'flag':
      return 'true or false'
    case 'number':
      return field.integer ? 'a whole number' : 'a number'
    case 'list':
      return 'a list'
    case 'object':
    case 'map':
      return 'a mapping'
    case 'any':
      return 'a value'
    case 'oneOf':
      return [field.scalar, field.list, field.map]
        .flatMap((option) => (option === undefined ? [] : [nounOf(option)]))
        .join(', or ')
  }
}

function found(node: YamlNode, { text }: ReadContext): string {
  if (node.kind === 'map') return 'a mapping'
  if (node.kind === 'list') return 'a list'
  if (typeof node.value === 'string') return `the text ${quoted(node.value.slice(0, 60), { ...node, plain: false })}`
  return `${typeof node.value === 'number' ? 'the number' : ''} ${text(node)}`.trim()
}
