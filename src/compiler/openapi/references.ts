import type { Json, JsonObject } from '../../protocol/manifest.js'
import { FAULTS, type FaultText } from './faults.js'
import { findingAt, pointerSteps, type ApiDocument, type ApiFinding } from './library.js'

/** A value of a description, and where it stands. */
export interface ApiPlace {
  readonly document: ApiDocument
  readonly pointer: string
  readonly value: Json
}

/** The documents of one description, and what was found wrong with them. */
export interface Description {
  readonly root: ApiDocument
  /** By the name that `target` gives; undefined for one that is not read yet. */
  readonly documents: Map<string, ApiDocument>
  /** Documents that are referred to and not read yet. */
  readonly wanted: Set<string>
  /** The name of a document that another refers to, or why it may not be read. */
  readonly target: (from: string, reference: string) => { readonly name: string } | { readonly why: string }
  readonly findings: ApiFinding[]
}

export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Longest chain of references; a longer one counts as a circle. */
const LONGEST_CHAIN = 32

/** Follows references to their target; undefined, and a finding, if it is missing. */
export function resolved(description: Description, start: ApiPlace): ApiPlace | undefined {
  let at: ApiPlace | undefined = start
  for (let hops = 0; at !== undefined && isJsonObject(at.value) && typeof at.value['$ref'] === 'string'; hops++) {
    if (hops === LONGEST_CHAIN) return noteFault(description, start, FAULTS.circle.says())
    at = followed(description, at, at.value['$ref'])
  }
  return at
}

/** The reference of a schema that leads to nothing in a document that is there; undefined where there is none. */
export function brokenReference(description: Description, at: ApiPlace): string | undefined {
  let place: ApiPlace | undefined = at
  for (let hops = 0; place !== undefined && hops < LONGEST_CHAIN; hops++) {
    const reference: string | undefined = textAt(place.value, '$ref')
    if (reference === undefined) return undefined
    const quiet: Description = { ...description, findings: [] }
    const before: ApiPlace = place
    place = followed(quiet, before, reference)
    const isNothing = quiet.findings[0]?.message === FAULTS.nothing.says(quotedShort(reference))
    if (place === undefined) return isNothing ? quotedShort(reference) : undefined
  }
  return undefined
}

function followed(description: Description, from: ApiPlace, reference: string): ApiPlace | undefined {
  const [file = '', fragment = ''] = reference.split('#', 2)
  const document = file === '' ? from.document : documentOf(description, from, file)
  if (document === undefined) return undefined
  const pointer = decoded(fragment)
  if (pointer === undefined || (pointer !== '' && !pointer.startsWith('/')))
    return noteFault(description, from, FAULTS.noPointer.says(quotedShort(reference)))
  let value: Json | undefined = document.value
  for (const step of pointerSteps(pointer)) {
    const here: Json | undefined = value
    value =
      typeof here === 'object' && here !== null && Object.hasOwn(here, step) ? (here as JsonObject)[step] : undefined
    if (value === undefined) return noteFault(description, from, FAULTS.nothing.says(quotedShort(reference)))
  }
  return { document, pointer, value: value! }
}

function documentOf(description: Description, from: ApiPlace, file: string): ApiDocument | undefined {
  const target = description.target(from.document.file, file)
  if ('why' in target) return noteFault(description, from, FAULTS.outside.says(target.why))
  const known = description.documents.get(target.name)
  if (known === undefined) description.wanted.add(target.name)
  return known
}

const decoded = (fragment: string): string | undefined => {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return undefined
  }
}

/** Notes a fault; gives undefined, for who must go on without the value. */
export function noteFault({ findings }: Description, { document, pointer }: ApiPlace, message: FaultText): undefined {
  const isKnown = findings.some(
    (each) => each.pointer === pointer && each.message === message && each.file === document.file,
  )
  if (findings.length < MOST_FINDINGS && !isKnown) findings.push(findingAt(document, pointer, message))
}

const MOST_FINDINGS = 50

export const quotedShort = (text: string): string => JSON.stringify(text.length > 120 ? `${text.slice(0, 119)}…` : text)

/** A member of an object, with what its references lead to. */
export function memberOf(
  description: Description,
  { document, pointer, value }: ApiPlace,
  name: string,
): ApiPlace | undefined {
  const member = rawMember({ document, pointer, value }, name)
  return member === undefined ? undefined : resolved(description, member)
}

/** The items of a list, each with what its references lead to. */
export const listItemsOf = (description: Description, list: ApiPlace | undefined): readonly ApiPlace[] =>
  list === undefined || !Array.isArray(list.value)
    ? []
    : (list.value as readonly Json[]).flatMap(
        (value, index) => resolved(description, { ...list, pointer: `${list.pointer}/${index}`, value }) ?? [],
      )

/** A member as it stands, references and all. */
export function rawMember({ document, pointer, value }: ApiPlace, name: string): ApiPlace | undefined {
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined
  const step = name.replaceAll('~', '~0').replaceAll('/', '~1')
  return { document, pointer: `${pointer}/${step}`, value: value[name]! }
}

/** The items of a list as they stand. */
export function rawItems(at: ApiPlace, name: string): readonly ApiPlace[] {
  const list = rawMember(at, name)
  if (list === undefined || !Array.isArray(list.value)) return []
  return (list.value as readonly Json[]).map((value, index) => ({
    ...list,
    pointer: `${list.pointer}/${index}`,
    value,
  }))
}

export const textAt = (value: Json | undefined, name: string): string | undefined => {
  const text = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return typeof text === 'string' ? text : undefined
}
