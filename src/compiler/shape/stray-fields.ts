import { replace, type Report } from '../finding.js'
import {
  EVERY_FIELD,
  indexOfKey,
  markFault,
  OPTIONAL_FIELDS,
  type MapNode,
  type ScalarNode,
  type YamlNode,
  valueAt,
} from '../parse/tree.js'
import { sentenceOf, type Field, type Fields, type Shape } from './field.js'
import { meant as meantInstead, nearest, question } from '../nearest.js'
import { fieldOfItem } from './field-of-item.js'
import { insteadOf } from './instead-of.js'
import type { Owner, ReadContext } from './reading.js'
import { kindFits } from './value-fits.js'

/** The field that a stray key stands for. */
export interface Adopted {
  readonly name: string
  /** Not the same word in another spelling, only one like it. */
  readonly isGuess: boolean
}

/**
 * Reports a key that the shape does not know, by the rule that explains it best.
 * Gives the field that the author meant, so that the value can still be read and nothing else complains.
 */
export function strayField(
  shape: Shape,
  map: MapNode,
  key: ScalarNode,
  value: YamlNode,
  owner: Owner,
  reading: ReadContext,
): Adopted | undefined {
  const name = key.value as string
  if (isExtension(shape, key, name, reading) || shape.open) return undefined
  const meant = respelt(shape, key, name, reading)
  if (meant !== undefined) return isFree(map, meant) ? { name: meant, isGuess: false } : undefined
  if (withoutColon(shape, map, key, name, reading)) return undefined
  if (strayWithRule(shape, key, name, value, owner, reading) || fieldOfItem(shape, map, key, name, reading))
    return undefined
  if (misplaced(shape, map, key, name, reading)) return undefined
  const alike = unknown(shape, map, key, value, owner, reading)
  return alike === undefined ? undefined : { name: alike, isGuess: true }
}

/** A field of `financial`, where it is no stray: nothing is checked by it anywhere else. */
const AMOUNT_INPUT = 'x-amount-input'

/** The extensions that svc reads, by the object that bears them; it keeps every other one as it is. */
const EXTENSIONS: { readonly [title: string]: readonly string[] } = {
  manifest: ['x-schemas'],
  fragment: ['x-schemas'],
  capability: ['x-failures', 'x-title', 'x-exclusive-by', 'x-upstream'],
  composition: ['x-literals'],
  input: ['x-schema', 'x-sensitive'],
  'output field': ['x-schema'],
  'financial cost': [AMOUNT_INPUT],
}

/**
 * Checks whether a key is an extension. A misspelling of a known key is kept, and reported because it has no effect.
 */
function isExtension(shape: Shape, key: ScalarNode, name: string, { report }: ReadContext): boolean {
  if (shape.strict || !name.startsWith('x-')) return false
  if (name === AMOUNT_INPUT) {
    report('SVC0215', key, `\`${name}\` is kept, but svc reads it only from \`cost.financial\`.`)
    return true
  }
  const known = EXTENSIONS[shape.title] ?? []
  const near = known.includes(name) ? undefined : nearest(name, known)
  if (near !== undefined)
    report('SVC0215', key, `\`${name}\` is kept, but svc reads nothing from it.${question(near)}`, {
      ...meantInstead(near),
    })
  return true
}

const isFree = (map: MapNode, field: string): boolean => indexOfKey(map, field) === -1

/** A field that another mark than a colon follows: with what begins its value, it reads as one long key. */
function withoutColon(shape: Shape, map: MapNode, key: ScalarNode, name: string, { report }: ReadContext): boolean {
  const field = /^[a-z][a-z0-9_]*(?=\W+[[{]|[^\w.-])/u.exec(name)?.[0] ?? ''
  if (!key.plain || !Object.hasOwn(shape.fields, field) || !isFree(map, field)) return false
  markFault(map, field)
  const [, behind = ''] = /^\w+\s*(?:=>?|;)?\s*([^\s,{}[\]#:"']+)$/u.exec(name) ?? []
  const value = map.values[map.keys.indexOf(key)]
  const isAll = behind !== '' && value?.kind === 'scalar' && value.value === null
  report(
    'SVC0202',
    key,
    `A \`:\` and a space are missing after \`${field}\`.`,
    isAll ? { suggestion: `${field}: ${behind}`, fix: replace(key, `${field}: ${behind}`), isGuess: true } : {},
  )
  return true
}

/** The same word in another style of spelling. */
function respelt(shape: Shape, key: ScalarNode, name: string, { report }: ReadContext): string | undefined {
  const lower = name.toLowerCase()
  const snake = name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/gu, '_')
    .replaceAll('-', '_')
    .toLowerCase()
  const meant = [lower, snake].find((spelling) => Object.hasOwn(shape.fields, spelling))
  if (meant === undefined) return undefined
  const code = meant === lower ? 'SVC0211' : 'SVC0212'
  report(code, key, `\`${name}\` is spelt \`${meant}\` here.`, { suggestion: meant, fix: replace(key, meant) })
  return meant
}

function strayWithRule(
  shape: Shape,
  key: ScalarNode,
  name: string,
  value: YamlNode,
  owner: Owner,
  { report }: ReadContext,
): boolean {
  if (shape.title !== 'capability' || name !== 'name' || value.kind !== 'scalar') return false
  const differs = value.value !== owner.name
  const message = differs
    ? `\`name: ${String(value.value)}\` differs from the key \`${owner.name}\`; the key is the name. Remove \`name\`.`
    : 'A capability has no field `name`: its key is its name. Remove it.'
  report(differs ? 'SVC1007' : 'SVC0202', key, message)
  return true
}

/** A field that belongs one level deeper. */
function misplaced(shape: Shape, map: MapNode, key: ScalarNode, name: string, { report }: ReadContext): boolean {
  const home = Object.keys(shape.fields).find((field) => Object.hasOwn(fieldsUnder(shape.fields[field]!), name))
  if (home === undefined || nearest(name, Object.keys(shape.fields)) !== undefined) return false
  const child = valueAt(map, home)
  if (child?.kind === 'map') markFault(child, name)
  markFault(map, home)
  report('SVC0210', key, `\`${name}\` belongs under \`${home}\`.`, { suggestion: `${home}: { ${name}: … }` })
  return true
}

const fieldsUnder = (field: Field): Fields => (field.kind === 'object' ? field.shape.fields : {})

function unknown(
  shape: Shape,
  map: MapNode,
  key: ScalarNode,
  value: YamlNode,
  owner: Owner,
  { report }: ReadContext,
): string | undefined {
  const name = key.value as string
  const alike = nearest(name, Object.keys(shape.fields)) ?? longerName(shape, map, name)
  const near = alike ?? onlyMissing(shape, map, value)
  const keyword = near === undefined ? schemaKeyword(shape, name) : undefined
  if (keyword !== undefined) return insideSchema(key, name, keyword, owner, report)
  const code = shape.codes?.unknown ?? 'SVC0202'
  const details = meantInstead(near)
  const where = shape.title === 'manifest' || shape.title === 'fragment' ? `A ${shape.title}` : `\`${owner.name}\``
  const known = near === undefined ? (insteadOf(shape, name) ?? fieldList(shape)) : question(near)
  report(code, key, `${where} has no field \`${name}\`.${known}`, details)
  if (near === undefined) markFault(map, OPTIONAL_FIELDS)
  if (near !== undefined && alike === undefined) markFault(map, near)
  return alike !== undefined && isFree(map, alike) ? alike : undefined
}

/** Reports a constraint for the inside of a value that is beside the schema it belongs in. */
function insideSchema(key: ScalarNode, name: string, keyword: string, owner: Owner, report: Report): undefined {
  const wanted = `x-schema: { ${keyword}: … }`
  const message = `\`${owner.name}\` has no field \`${name}\`. It belongs inside \`x-schema\`: \`${wanted}\`.`
  report('SVC0210', key, message, { suggestion: wanted })
}

/** The one field that is still free and has the word in its name: `range_max` for `max`. */
function longerName(shape: Shape, map: MapNode, name: string): string | undefined {
  const word = name.toLowerCase()
  const longer = Object.keys(shape.fields).filter((field) => field.split('_').includes(word) && isFree(map, field))
  return longer.length === 1 ? longer[0] : undefined
}

/** A block of more fields has a page for them. */
const MOST_LISTED = 7

/** Lists the known fields, if they are few enough to read. */
function fieldList(shape: Shape): string {
  const names = Object.keys(shape.fields).filter((name) => !name.startsWith('x-'))
  return names.length === 0 || names.length > MOST_LISTED
    ? ''
    : ` There ${names.length === 1 ? 'is' : 'are'} ${names.join(', ')}.`
}

/** Keywords of JSON Schema, which are not fields of an input but say what is inside of its value. */
const SCHEMA_KEYWORDS: ReadonlySet<string> = new Set([
  'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength', 'pattern', 'format',
  'properties', 'additionalProperties', 'items', 'minItems', 'maxItems', 'uniqueItems', 'enum', 'const', 'anyOf', 'oneOf', '$ref',
]) // prettier-ignore

/** The keyword of a schema that a key is, in the spelling of keywords: `maxLength` for `max_length`. */
function schemaKeyword({ fields }: Shape, name: string): string | undefined {
  const keyword = name.replaceAll(/_([a-z])/gu, (_, letter: string) => letter.toUpperCase())
  return SCHEMA_KEYWORDS.has(keyword) && Object.hasOwn(fields, 'x-schema') ? keyword : undefined
}

/** One unknown key beside one missing field is most likely that field. */
function onlyMissing(shape: Shape, map: MapNode, value: YamlNode): string | undefined {
  const [missing, ...others] = missingFields(shape, map)
  const isOne = missing !== undefined && others.length === 0 && hasOneStranger(shape, map)
  return isOne && kindFits(shape.fields[missing]!, value) ? missing : undefined
}

function hasOneStranger(shape: Shape, map: MapNode): boolean {
  let strangers = 0
  for (const { value } of map.keys) {
    const name = value as string
    if (!Object.hasOwn(shape.fields, name) && !name.startsWith('x-') && ++strangers > 1) return false
  }
  return strangers === 1
}

const missingFields = (shape: Shape, map: MapNode): readonly string[] =>
  mandatoryOf(shape).filter((name) => isFree(map, name) && !map.faults?.has(name))

const mandatory = new WeakMap<Shape, readonly string[]>()
function mandatoryOf(shape: Shape): readonly string[] {
  let names = mandatory.get(shape)
  if (names === undefined) {
    names = Object.keys(shape.fields).filter((name) => shape.fields[name]!.required)
    mandatory.set(shape, names)
  }
  return names
}

/** Reports the mandatory fields that nothing stands for. */
export function absentFields(shape: Shape, map: MapNode, view: object, owner: Owner, { report }: ReadContext): void {
  if (map.faults?.has(EVERY_FIELD)) return
  const needed = mandatoryOf(shape)
  if (map.keys.length === 0 && needed.length > 1) return emptyObject(shape, map, owner, report)
  const absent = needed.filter((name) => !Object.hasOwn(view, name) && !map.faults?.has(name))
  const blocks =
    shape.title === 'manifest' ? absent.filter((name) => shape.fields[name]!.codes?.missing === undefined) : []
  if (blocks.length > 1) absentBlocks(blocks, map, owner, report)
  for (const name of blocks.length > 1 ? absent.filter((each) => !blocks.includes(each)) : absent) {
    const field = shape.fields[name]!
    markFault(map, name)
    report(
      field.codes?.missing ?? 'SVC0201',
      owner.span,
      `${nameOf(shape, owner)} lacks \`${name}\`. ${sentenceOf(field)}`.trim(),
    )
  }
}

/** Reports absent blocks once, with a remedy: a divided manifest may have moved all of them into its included files. */
function absentBlocks(names: readonly string[], map: MapNode, owner: Owner, report: Report): void {
  for (const name of names) markFault(map, name)
  const rest = isFree(map, 'include')
    ? ''
    : ' Write them here: only capabilities and `x-schemas` come from files that it includes.'
  report('SVC0201', owner.span, `The manifest lacks ${listed(names)}.${rest}`)
}

/** Reports an empty object as one error, however many fields it lacks. */
function emptyObject(shape: Shape, map: MapNode, owner: Owner, report: Report): void {
  markFault(map, EVERY_FIELD)
  report('SVC0201', owner.span, `${nameOf(shape, owner)} is empty; it needs ${listed(mandatoryOf(shape))}.`)
}

const listed = (names: readonly string[]): string =>
  `${names
    .slice(0, -1)
    .map((name) => `\`${name}\``)
    .join(', ')} and \`${names.at(-1)}\``

function nameOf(shape: Shape, owner: Owner): string {
  if (shape.title === 'manifest' || shape.title === 'fragment') return `The ${shape.title}`
  return `The ${shape.title}${shape.title === owner.name.replaceAll('_', ' ') ? '' : ` \`${owner.name}\``}`
}
