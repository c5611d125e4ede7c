/**
 * Checks whether this client knows every field of a document: it cannot obey a field it does not know (section 9.6).
 */
import { KNOWN_DISCOVERY, KNOWN_FIELDS, type KnownFields } from './known-fields.js'
import { isObject } from './answer-shape.js'
import { TransportError } from './transport.js'

/** The newest version of the interface that this client knows. */
const NEWEST = '0.24.0'

type Record = { readonly [name: string]: unknown }

/** Throws when a manifest is of a newer version, or says what this client does not know. */
export function assertSupportedManifest(manifest: Record): void {
  assertVersion(recordIn(manifest, 'manifest_metadata')['version'])
  assertKnown('', manifest, KNOWN_FIELDS)
}

/** Throws when a discovery document is of a newer version, or says what this client does not know. */
export function assertSupportedDiscovery(document: Record): void {
  assertVersion(recordIn(document, 'svc_discovery')['version'])
  assertKnown('', document, KNOWN_DISCOVERY)
}

function assertVersion(version: unknown): void {
  const [major, minor] = numbersIn(version)
  const [ourMajor, ourMinor] = numbersIn(NEWEST) as [number, number]
  if (major === undefined || minor === undefined || major > ourMajor || (major === ourMajor && minor > ourMinor))
    unsupported(`version ${String(version)}; this client knows ${NEWEST} and older ones`)
}

const numbersIn = (version: unknown): readonly number[] =>
  (/^(\d+)\.(\d+)\.\d+$/u.exec(String(version)) ?? []).slice(1).map(Number)

/** Looks into every object and list that the table knows; `x-` members are whose who wrote them. */
function assertKnown(place: string, value: unknown, known: KnownFields): void {
  if (known === null) return
  if (typeof known === 'string') return assertWord(place, value, known)
  if (isList(known)) {
    if (Array.isArray(value)) value.forEach((item, index) => assertKnown(`${place}.${index}`, item, known[0]!))
  } else if (isObject(value)) assertMembers(place, value, known)
  else if (typeof value === 'string' && known['='] !== undefined) assertKnown(place, value, known['='])
}

function assertMembers(place: string, value: Record, known: { readonly [field: string]: KnownFields }): void {
  const plain = String(known[''] ?? '').split(' ')
  for (const [name, member] of Object.entries(value)) {
    const inner = Object.hasOwn(known, name) && !SIGNS.includes(name) ? known[name] : known['*']
    if (inner !== undefined) assertKnown(place === '' ? name : `${place}.${name}`, member, inner)
    else if (name === '' || (!plain.includes(name) && !name.startsWith('x-')))
      unsupported(`the field ${name} in ${place || 'the document'}`)
  }
}

/** Names in the table that are no members. */
const SIGNS = ['', '=', '*']

const isList = (known: KnownFields): known is readonly KnownFields[] => Array.isArray(known)

function assertWord(place: string, word: unknown, known: string): void {
  if (!known.split(' ').includes(String(word))) unsupported(`${String(word)} as ${place}`)
}

const recordIn = (record: Record, name: string): Record => {
  const value = record[name]
  return isObject(value) ? value : {}
}

function unsupported(what: string): never {
  throw new TransportError(`The service says what this client does not support: ${what}. Update svc-kit.`)
}
