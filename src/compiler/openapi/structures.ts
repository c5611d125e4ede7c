import type { Json, JsonObject } from '../../protocol/manifest.js'
import { SCHEMA_REFERENCE } from '../../protocol/value-schema.js'
import { typeNameOf } from '../names.js'
import { cleanText } from './clean-text.js'
import type { ApiFinding } from './library.js'
import { flattened, type Choice, type FlatSchema } from './flatten.js'
import { NOTES, type NoteText } from './notes.js'
import { ANNOTATIONS } from './keywords.js'
import { snakeCase } from './operations.js'
import { plainSchema } from './plain-schema.js'
import { holdsWide, withDigits, type WideIntegers } from './wide-integers.js'
import { alternativesOverlap } from './overlap.js'
import {
  brokenReference,
  isJsonObject,
  rawItems,
  resolved,
  textAt,
  type ApiPlace,
  type Description,
} from './references.js'

/** Shared schemas, which become `x-schemas`. */
export interface Structures {
  /** Before each name, so that two imports do not meet: `SourceHost`. */
  readonly prefix: string
  /** Place -> name. */
  readonly names: Map<string, string>
  readonly shared: Map<string, JsonObject>
  /** Named, and not made yet. */
  readonly waiting: { readonly name: string; readonly places: readonly ApiPlace[]; readonly direction: Direction }[]
  /** Name -> the keywords that it lacks. */
  readonly lost: Map<string, readonly NoteText[]>
  /** Name -> why what refers to it cannot be imported. */
  readonly faults: Map<string, readonly ApiFinding[]>
  readonly nullable: WeakMap<JsonObject, boolean>
  readonly wide: WideIntegers
  /** Schemas made so far. */
  made: number
}

/** Direction of a value: to the service behind, or from it. */
export type Direction = 'request' | 'answer'

/** A description whose schemas become structured values. */
export interface Importing extends Description {
  readonly structures: Structures
  readonly direction: Direction
}

export const newStructures = (upstream: string): Structures => ({
  prefix: typeNameOf(upstream),
  names: new Map(),
  shared: new Map(),
  waiting: [],
  lost: new Map(),
  faults: new Map(),
  nullable: new WeakMap(),
  wide: new WeakMap(),
  made: 0,
})

/** Schemas of one import; what is inside of the rest is left out. */
const MOST_SCHEMAS = 24_000
const TOO_MUCH = NOTES.tooMuch.says()
/** Schemas inside schemas; a part that is deeper stands by itself. */
const DEEPEST = 20
/** Members of all alternatives of a choice that stands beside members. */
const MOST_DISTRIBUTED = 200

/** Several schemas that hold at once, as their direction has them. */
export function flatFor(
  importing: Importing,
  places: readonly ApiPlace[],
  made?: Parameters<typeof flattened>[2],
): FlatSchema {
  const flat = flattened(importing, places, made)
  return importing.direction === 'answer' ? withDigits(flat) : flat
}

/** A schema of values that are there, and whether there may be none. */
export interface Present {
  readonly schema: JsonObject
  readonly nullable: boolean
}

/** Several schemas that hold at once, as one structured value. Keywords that it cannot have are added to `lost`. */
export function carriedSchema(
  importing: Importing,
  places: readonly ApiPlace[],
  lost: NoteText[],
  depth = 0,
): JsonObject {
  const { schema, nullable } = presentSchema(importing, places, lost, depth)
  return nullable ? orNull(schema) : schema
}

export function presentSchema(importing: Importing, places: readonly ApiPlace[], lost: NoteText[], depth = 0): Present {
  const { structures } = importing
  if (++structures.made > MOST_SCHEMAS) {
    lost.push(TOO_MUCH)
    return { schema: {}, nullable: false }
  }
  const reference = places.length === 1 ? onlyReference(importing, places[0]!) : undefined
  if (reference !== undefined) {
    const schema = {
      $ref: SCHEMA_REFERENCE + nameOf(importing, [reference.place]),
      ...descriptionOf(places[0]!.value),
    }
    return { schema, nullable: reference.nullable || mayBeNull(importing, reference.place) }
  }
  const flat = flatFor(importing, places)
  if (depth > DEEPEST)
    return { schema: { $ref: SCHEMA_REFERENCE + nameOf(importing, places) }, nullable: flat.nullable }
  return { schema: builtSchema(importing, places, flat, lost, depth), nullable: flat.nullable }
}

/** Makes what is waited for, and what that refers to. */
export function makeShared(importing: Importing): void {
  const { waiting, shared, lost, faults } = importing.structures
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const own: NoteText[] = []
    const inside = { ...importing, direction: next.direction, findings: [] }
    shared.set(next.name, builtSchema(inside, next.places, flatFor(inside, next.places), own, 0))
    if (own.length > 0) lost.set(next.name, own)
    if (inside.findings.length > 0) faults.set(next.name, inside.findings)
  }
}

/** Checks whether a shared schema accepts null; each reference to it then says so. */
function mayBeNull(importing: Importing, place: ApiPlace): boolean {
  const { nullable } = importing.structures
  const known = nullable.get(place.value as JsonObject)
  if (known !== undefined) return known
  const found = flattened(importing, [place]).nullable
  nullable.set(place.value as JsonObject, found)
  return found
}

function builtSchema(
  importing: Importing,
  places: readonly ApiPlace[],
  flat: FlatSchema,
  lost: NoteText[],
  depth: number,
): JsonObject {
  const inner = (parts: readonly ApiPlace[]): JsonObject => carriedSchema(importing, parts, lost, depth + 1)
  if (importing.structures.made + flat.properties.size > MOST_SCHEMAS) return (lost.push(TOO_MUCH), {})
  lost.push(...flat.lost)
  const base = plainSchema(flat, inner, lost)
  const [choice, ...others] = flat.choices
  lost.push(...others.map(({ word }) => NOTES.choice.says(word)))
  const tag = textAt(flat.keywords['discriminator'], 'propertyName')
  if (choice === undefined) {
    if (tag !== undefined) lost.push(NOTES.discriminator.says())
    return base
  }
  const before = lost.length
  const branches = branchesOf(importing, places, flat, base, choice, lost, depth)
  if (branches === undefined || branches.length === 0) return (lost.push(NOTES.choice.says(choice.word)), base)
  if (branches.length === 1) return { ...aboutOf(base), ...branches[0] }
  // What lacks a keyword fits more often, and services take what fits two alternatives: `oneOf` would refuse it.
  const isWide = importing.direction === 'answer' && choice.branches.some((branch) => isWideAt(importing, branch))
  const isLess =
    choice.word === 'oneOf' && (lost.length > before || isWide || alternativesOverlap(importing, choice.branches))
  if (isLess) lost.push(NOTES.anyOf.says())
  return { ...aboutOf(base), [isLess ? 'anyOf' : choice.word]: branches }
}

const aboutOf = ({ description }: JsonObject): JsonObject => (description === undefined ? {} : { description })

/** The alternatives; undefined where what stands beside the choice is too much to be written into each. */
function branchesOf(
  importing: Importing,
  places: readonly ApiPlace[],
  flat: FlatSchema,
  base: JsonObject,
  { list, branches }: Choice,
  lost: NoteText[],
  depth: number,
): readonly JsonObject[] | undefined {
  const { description: _, type, ...bounds } = base
  const isBare = Object.keys(bounds).length === 0 && (type === undefined || type === 'object')
  if (isBare) return branches.map((branch) => carriedSchema(importing, [branch], lost, depth + 1))
  if (branches.length * (flat.properties.size + 1) > MOST_DISTRIBUTED || depth > DEEPEST) return undefined
  return branches.flatMap((branch): readonly JsonObject[] => {
    const whole = flatFor(importing, places, new Map([[list, branch]]))
    if (whole.isNothing && !flat.isNothing) return []
    const inner = (parts: readonly ApiPlace[]): JsonObject => carriedSchema(importing, parts, lost, depth + 2)
    lost.push(...whole.choices.map(({ word }) => NOTES.choice.says(word)))
    const { description: _about, ...made } = plainSchema(whole, inner, lost)
    return [made]
  })
}

/** A schema that takes null, too. */
export const orNull = (schema: JsonObject): JsonObject => {
  const { description, ...rest } = schema
  const about = description === undefined ? {} : { description }
  for (const word of ['anyOf', 'oneOf'])
    if (Array.isArray(rest[word])) return { ...schema, [word]: withNull(rest[word] as readonly Json[]) }
  if (rest['$ref'] !== undefined) return { ...about, anyOf: [rest, { type: 'null' }] }
  const { type, enum: values, const: only, ...others } = rest
  const all = only === undefined ? (values as readonly Json[] | undefined) : [only]
  return {
    ...about,
    ...(type === undefined ? {} : { type: [...new Set([type, 'null'].flat())] }),
    ...others,
    ...(all === undefined ? {} : { enum: [...all, null] }),
  }
}

const withNull = (branches: readonly Json[]): readonly Json[] =>
  branches.some((branch) => isJsonObject(branch) && branch['type'] === 'null')
    ? branches
    : [...branches, { type: 'null' }]

const descriptionOf = (value: Json): JsonObject => {
  const { text } = cleanText(textAt(value, 'description') ?? '')
  return text === '' ? {} : { description: text }
}

const BESIDE: ReadonlySet<string> = new Set([
  ...ANNOTATIONS,
  'description',
  'deprecated',
  'nullable',
  'readOnly',
  'writeOnly',
])
const HOLDERS = ['allOf', 'oneOf', 'anyOf'] as const

interface Reference {
  readonly place: ApiPlace
  readonly nullable: boolean
}

/** The schema of several members that another one is, or is unless it is null. */
function onlyReference(description: Description, at: ApiPlace): Reference | undefined {
  const { value } = at
  if (!isJsonObject(value)) return undefined
  const nullable = value['nullable'] === true
  const words = Object.keys(value).filter((name) => !BESIDE.has(name) && !name.startsWith('x-'))
  const [word, ...others] = words
  if (word === undefined || others.length > 0) return undefined
  if (word === '$ref') {
    if (brokenReference(description, at) !== undefined) return undefined
    const place = resolved(description, at)
    return place === undefined || !isStructure(place.value) ? undefined : { place, nullable }
  }
  if (!(HOLDERS as readonly string[]).includes(word)) return undefined
  const parts = rawItems(at, word)
  const rest =
    word === 'allOf' ? parts : parts.filter(({ value: part }) => !(isJsonObject(part) && part['type'] === 'null'))
  const inside =
    rest.length === 1 && isJsonObject(rest[0]!.value) && '$ref' in rest[0]!.value
      ? onlyReference(description, rest[0]!)
      : undefined
  return inside === undefined
    ? undefined
    : { ...inside, nullable: nullable || inside.nullable || rest.length < parts.length }
}

const isStructure = (value: Json): boolean =>
  isJsonObject(value) &&
  ['properties', 'items', 'allOf', 'oneOf', 'anyOf', 'additionalProperties'].some(
    (name) => typeof value[name] === 'object',
  )

/** Suffixes of types in generated code. */
const OURS = /(?:Parameters|Input|Output|Failure|Type|Outcome|Context|Handlers?|Options|Refusal|Client|Error|Base)$/u

const isWideAt = (importing: Importing, place: ApiPlace): boolean =>
  holdsWide(importing, place, importing.structures.wide)

/** `#/components/schemas/simple-user` is `SourceHostSimpleUser`; one whose digits an answer keeps is another. */
function nameOf(importing: Importing, places: readonly ApiPlace[]): string {
  const { prefix, names, waiting, shared } = importing.structures
  const { document, pointer } = places[0]!
  const isWide = importing.direction === 'answer' && places.some((place) => isWideAt(importing, place))
  const direction = isWide ? 'answer' : 'request'
  const key = [direction, ...places.map((place) => `${place.document.file}#${place.pointer}`)].join(' ')
  const known = names.get(key)
  if (known !== undefined) return known
  const last = typeNameOf(snakeCase(pointer.split('/').at(-1) || document.file))
  const whole = `${prefix}${last.startsWith(prefix) ? last.slice(prefix.length) : last}`.slice(0, 50)
  const base = OURS.test(whole) ? `${whole}Value` : whole
  const taken = new Set(names.values())
  let name = base
  for (let count = 2; taken.has(name) || shared.has(name); count++) name = `${base}${count}`
  names.set(key, name)
  waiting.push({ name, places, direction })
  return name
}
