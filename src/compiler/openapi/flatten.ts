import type { Json, JsonObject } from '../../protocol/manifest.js'
import { hides } from './clean-text.js'
import { FAULTS } from './faults.js'
import { NOTES, type NoteText } from './notes.js'
import { ANNOTATIONS, BOUNDS, CARRIED, isScalarOrNull, stricter } from './keywords.js'
import {
  brokenReference,
  isJsonObject,
  noteFault,
  rawMember,
  rawItems,
  resolved,
  type ApiPlace,
  type Description,
} from './references.js'

/** Alternatives of a schema, none of which is null. */
export interface Choice {
  readonly word: 'oneOf' | 'anyOf'
  /** The list itself, by which the choice is known. */
  readonly list: NonNullable<Json>
  readonly branches: readonly ApiPlace[]
}

/** All that a schema demands by itself, behind references and by `allOf`. */
export interface FlatSchema {
  /** Constraints of the value; `type` is a list without null, `enum` has no null. */
  readonly keywords: JsonObject
  /** Each with every schema that holds for it. */
  readonly properties: ReadonlyMap<string, readonly ApiPlace[]>
  readonly required: ReadonlySet<string>
  readonly items: readonly ApiPlace[]
  readonly more: readonly ApiPlace[]
  readonly choices: readonly Choice[]
  readonly nullable: boolean
  /** True if its constraints exclude each other, so that no value is valid. */
  readonly isNothing: boolean
  readonly title: string
  /** Keywords that structured values do not have. */
  readonly lost: readonly NoteText[]
}

interface Growing {
  keywords: { [name: string]: Json }
  readonly properties: Map<string, ApiPlace[]>
  readonly required: Set<string>
  readonly items: ApiPlace[]
  readonly more: ApiPlace[]
  readonly choices: Choice[]
  nullable: boolean
  isNothing: boolean
  title: string
  readonly lost: NoteText[]
}

interface Walk {
  readonly description: Description
  readonly flat: Growing
  /** Constraints included already: a repeated one counts once. */
  readonly seen: Set<Json>
  /** Choices that were made: list -> the branch that holds. */
  readonly made: ReadonlyMap<Json, ApiPlace>
}

const DEEPEST = 64

/** Several schemas that hold at once, as one. A circle of `allOf` is a finding. */
export function flattened(
  description: Description,
  places: readonly ApiPlace[],
  made: ReadonlyMap<Json, ApiPlace> = new Map(),
): FlatSchema {
  const flat: Growing = {
    keywords: {}, properties: new Map(), required: new Set(), items: [], more: [], choices: [], nullable: false, isNothing: false, title: '', lost: [],
  } // prettier-ignore
  const walk = { description, flat, seen: new Set<Json>(), made }
  for (const place of places) take(walk, place, [])
  return flat
}

function take(walk: Walk, given: ApiPlace, path: readonly Json[]): void {
  const { description, flat, seen } = walk
  if (path.length > DEEPEST) return void flat.lost.push(NOTES.deep.says())
  if (isJsonObject(given.value) && typeof given.value['$ref'] === 'string') takeBeside(walk, given, given.value, path)
  const broken = brokenReference(description, given)
  if (broken !== undefined) return void flat.lost.push(NOTES.broken.says(broken))
  const at = resolved(description, given)
  if (at === undefined) return
  if (!isJsonObject(at.value)) return at.value === false ? void flat.lost.push(NOTES.never.says()) : undefined
  if (path.includes(at.value)) return noteFault(description, given, FAULTS.allOfCircle.says())
  if (seen.has(at.value)) return
  seen.add(at.value)
  for (const part of rawItems(at, 'allOf')) take(walk, part, [...path, at.value])
  takeOwn(walk, at, at.value, path)
}

/** Applies the keywords beside a reference. */
function takeBeside(walk: Walk, at: ApiPlace, value: JsonObject, path: readonly Json[]): void {
  const { $ref: _, ...beside } = value
  if (Object.keys(beside).some((name) => !ANNOTATIONS.has(name))) take(walk, { ...at, value: beside }, path)
}

function takeOwn(walk: Walk, at: ApiPlace, value: JsonObject, path: readonly Json[]): void {
  const { flat } = walk
  for (const [name, member] of Object.entries(withoutFlags(value))) {
    if (Object.hasOwn(TAKE, name)) TAKE[name]!(walk, at, member, [...path, value])
    else if (BOUNDS.has(name)) flat.keywords[name] = stricter(name, flat.keywords[name], member, flat.lost)
    else if (CARRIED.has(name)) flat.keywords[name] = member
    else if (!ANNOTATIONS.has(name) && !name.startsWith('x-')) flat.lost.push(NOTES.keyword.says(name))
  }
}

/** OpenAPI 3.0 and Swagger write `minimum: 3, exclusiveMinimum: true`. */
function withoutFlags(value: JsonObject): JsonObject {
  const { exclusiveMinimum, exclusiveMaximum, ...rest } = value
  const made: { [name: string]: Json } = { ...rest }
  for (const [exclusive, name, flag] of [
    ['exclusiveMinimum', 'minimum', exclusiveMinimum],
    ['exclusiveMaximum', 'maximum', exclusiveMaximum],
  ] as const) {
    if (typeof flag === 'number') made[exclusive] = flag
    if (flag !== true || made[name] === undefined) continue
    made[exclusive] = made[name]
    delete made[name]
  }
  return made
}

type Take = (walk: Walk, at: ApiPlace, member: Json, path: readonly Json[]) => void

const takeType: Take = ({ flat }, _, member) => {
  const words = (Array.isArray(member) ? member : [member]) as readonly Json[]
  if (words.includes('null')) flat.nullable = true
  const types = words.filter((word) => word !== 'null')
  const before = flat.keywords['type'] as readonly Json[] | undefined
  if (types.length === 0) return
  const both = before?.filter((type) => types.includes(type) || (type === 'integer' && types.includes('number')))
  const wider = before?.includes('number') === true && types.includes('integer') ? ['integer'] : []
  const shared = both && [...new Set([...both, ...wider])]
  flat.isNothing ||= shared?.length === 0
  flat.keywords['type'] = shared === undefined || shared.length === 0 ? types : shared
}

const hidden = (value: Json): boolean => typeof value === 'string' && hides(value)

const takeEnum: Take = ({ flat }, _, member) => {
  if (!Array.isArray(member)) return
  const values = member as readonly Json[]
  if (values.includes(null)) flat.nullable = true
  if (!values.every(isScalarOrNull)) return void flat.lost.push(NOTES.enumOfStructures.says())
  if (values.some(hidden)) return void flat.lost.push(NOTES.hidden.says('enum values that hide characters'))
  const before = flat.keywords['enum'] as readonly Json[] | undefined
  const own: readonly Json[] = [...new Set(values)].filter((value) => value !== null)
  if (own.length === 0) return
  const both = before?.filter((value) => own.includes(value)) ?? own
  flat.isNothing ||= both.length === 0
  flat.keywords['enum'] = both.length === 0 ? own : both
}

const takeProperties: Take = ({ flat }, at, member) => {
  if (!isJsonObject(member)) return
  for (const name of Object.keys(member)) {
    const place = rawMember({ ...at, pointer: `${at.pointer}/properties`, value: member }, name)!
    const there = flat.properties.get(name)
    if (there === undefined) flat.properties.set(name, [place])
    else there.push(place)
  }
}

const takeMore: Take = ({ flat }, at, member) => {
  if (member === false) flat.keywords['additionalProperties'] = false
  if (isJsonObject(member) && Object.keys(member).length > 0) flat.more.push(rawMember(at, 'additionalProperties')!)
}

const takeItems: Take = ({ flat }, at, member) => {
  if (isJsonObject(member)) flat.items.push(rawMember(at, 'items')!)
  else if (Array.isArray(member)) flat.lost.push(NOTES.byPosition.says())
}

const isNull = ({ value }: ApiPlace): boolean =>
  isJsonObject(value) && (value['type'] === 'null' || value['const'] === null) && value['$ref'] === undefined

/** Null is no choice of its own; a single choice is none. */
const takeChoice =
  (word: Choice['word']): Take =>
  (walk, at, member, path) => {
    const all = rawItems(at, word)
    const branches = all.filter((branch) => !isNull(branch))
    if (branches.length < all.length) walk.flat.nullable = true
    const [first] = branches
    const branch = walk.made.get(member) ?? (branches.length === 1 ? first : undefined)
    // What an alternative comes back to by `allOf` is taken already; how deep it stands counts on.
    if (branch !== undefined)
      take(
        walk,
        branch,
        path.map(() => false),
      )
    else if (leadsBack(walk, branches, path)) return
    else if (branches.length > 0) walk.flat.choices.push({ word, list: member!, branches })
  }

/** Holds where `allOf` of an alternative is the schema that the choice is in: its kind is known then. */
function leadsBack({ description }: Walk, branches: readonly ApiPlace[], path: readonly Json[]): boolean {
  const quiet = { ...description, findings: [] }
  return path.length > 1 && branches.some((branch) => path.includes(resolved(quiet, branch)?.value ?? null))
}

const TAKE: { readonly [keyword: string]: Take } = {
  $ref: () => undefined,
  allOf: () => undefined,
  type: takeType,
  enum: takeEnum,
  const: (walk, at, member, path) => takeEnum(walk, at, [member], path),
  nullable: ({ flat }, _, member) => void (member === true && (flat.nullable = true)),
  properties: takeProperties,
  required: ({ flat }, _, member) => {
    if (Array.isArray(member)) for (const name of member) if (typeof name === 'string') flat.required.add(name)
  },
  additionalProperties: takeMore,
  items: takeItems,
  title: ({ flat }, _, member) => void (flat.title = typeof member === 'string' ? member : flat.title),
  default: ({ flat }, _, member) => {
    if (hidden(member)) flat.lost.push(NOTES.hidden.says('a default that hides characters'))
    else flat.keywords['default'] = member
  },
  discriminator: ({ flat }, _, member) => void (flat.keywords['discriminator'] = member),
  oneOf: takeChoice('oneOf'),
  anyOf: takeChoice('anyOf'),
}
