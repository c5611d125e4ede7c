import { types } from 'node:util'
import { MAX_DEPTH } from '../../crypto/json/canonical.js'
import type { Json } from '../../protocol/manifest.js'

/**
 * A copy of what user code gave, read once: what is judged is what is used (decisions, section 20). Members that are
 * undefined are left out. Throws `TypeError` for what may answer differently the next time, or is no JSON: a getter, a
 * proxy, an instance of a class, a function (as `toJSON`), a hole, a number that is not finite.
 */
export function plainCopy(value: unknown): Json | undefined {
  return value === undefined ? undefined : copyOf(value, 0)
}

function copyOf(value: unknown, depth: number): Json {
  if (depth > MAX_DEPTH) throw new TypeError(`The value nests deeper than ${MAX_DEPTH} levels or contains itself.`)
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : refuseKind(`the number ${value}`)
  if (typeof value !== 'object') return refuseKind(`a ${typeof value}`)
  if (types.isProxy(value)) return refuseKind('a proxy')
  return Array.isArray(value) ? listOf(value, depth) : recordOf(value, depth)
}

function listOf(list: readonly unknown[], depth: number): Json {
  if (Object.getPrototypeOf(list) !== Array.prototype) return refuseKind('an instance of a class')
  return Array.from({ length: list.length }, (_, index) => copyOf(memberOf(list, `${index}`), depth + 1))
}

function recordOf(record: object, depth: number): Json {
  const prototype: unknown = Object.getPrototypeOf(record)
  if (prototype !== Object.prototype && prototype !== null) return refuseKind('an instance of a class')
  const members = Object.keys(record).map((name) => [name, memberOf(record, name)] as const)
  return Object.fromEntries(
    members.flatMap(([name, member]) => (member === undefined ? [] : [[name, copyOf(member, depth + 1)]])),
  )
}

/** The value of an own member, without running a getter. */
function memberOf(holder: object, name: string): unknown {
  const member = Object.getOwnPropertyDescriptor(holder, name)
  if (member === undefined) return refuseKind('a hole in a list')
  return 'value' in member ? (member.value as unknown) : refuseKind(`a getter (${name})`)
}

function refuseKind(kind: string): never {
  throw new TypeError(`Only plain JSON values are taken here: objects, lists, texts and finite numbers, not ${kind}.`)
}

/**
 * A copy of what a handler hands over, as its one JSON text says; undefined for what has none. What is done cannot be
 * refused, so a date may be the text that it writes itself as.
 */
export function textCopy(value: unknown, mostCharacters = Infinity): Json | undefined {
  const text = JSON.stringify(value) as string | undefined
  if (text === undefined) return undefined
  if (text.length > mostCharacters) throw new RangeError('The result of the handler is too large.')
  return JSON.parse(text) as Json
}
