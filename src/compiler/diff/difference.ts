import { isRecord } from '../../crypto/json/kinds.js'
import { cadenceMs } from '../../protocol/durations.js'
import type { Json, JsonObject } from '../../protocol/manifest.js'
import type { Effect } from './effects.js'
import type { Bump } from './kinds.js'

/** One thing that is otherwise in the new manifest. */
export interface Difference {
  readonly code: string
  /** Path: names of members, and of items by their identifying member. */
  readonly at: readonly string[]
  /** Difference as a clause: `was 5 and is 7`. */
  readonly says: string
  /** Meaning of the kind here, if it differs from the usual one. */
  readonly instead?: { readonly effect: Effect; readonly bump: Bump | undefined; readonly weakens: boolean }
}

/** Compares one part of two values of the same kind. */
export type Comparison = (before: JsonObject, after: JsonObject) => readonly Difference[]

/** A code, or none where the change means nothing; more where it depends on the values. */
export type ChangeCode = string | Pick<Difference, 'code' | 'instead'> | undefined
type Judge = (before: Json | undefined, after: Json | undefined) => ChangeCode

/** A change that breaks, whatever its kind does otherwise, and weakens nothing. */
export const breaking = (code: string): ChangeCode => ({
  code,
  instead: { effect: 'breaking', bump: 'major', weakens: false },
})

/** A change that breaks and weakens at once. */
export const breakingAndWeakened = (code: string): ChangeCode => ({
  code,
  instead: { effect: 'breaking', bump: 'major', weakens: true },
})

/** A change that neither breaks nor weakens. */
export const compatible = (code: string): ChangeCode => ({
  code,
  instead: { effect: 'compatible', bump: 'minor', weakens: false },
})

/** A value, or nothing, at a path of members. */
export function valueOf(value: Json | undefined, path: readonly string[]): Json | undefined {
  let found = value
  for (const name of path) found = isRecord(found) && Object.hasOwn(found, name) ? found[name] : undefined
  return found
}

/** Judges a member when it differs. */
export const memberChange = (path: string, judge: Judge): Comparison => {
  const at = path.split('.')
  return (before, after) => differing(at, valueOf(before, at), valueOf(after, at), judge)
}

/** A member whose every change is of one kind. */
export const anyChange = (path: string, code: string): Comparison => memberChange(path, () => code)

export function differing(
  at: readonly string[],
  before: Json | undefined,
  after: Json | undefined,
  judge: Judge,
): readonly Difference[] {
  if (same(before, after)) return []
  const verdict = judge(before, after)
  if (verdict === undefined) return []
  const says = clauseOf(before, after)
  return [typeof verdict === 'string' ? { code: verdict, at, says } : { ...verdict, at, says }]
}

const clauseOf = (before: Json | undefined, after: Json | undefined): string =>
  before === undefined
    ? `is new: ${spelt(after!)}`
    : after === undefined
      ? `is gone; it was ${spelt(before)}`
      : `was ${spelt(before)} and is ${spelt(after)}`

/** Came, went, or changed. */
export const presence =
  (kinds: { readonly added?: ChangeCode; readonly removed?: ChangeCode; readonly changed?: ChangeCode }): Judge =>
  (before, after) =>
    before === undefined ? kinds.added : after === undefined ? kinds.removed : kinds.changed

/** A list whose order means nothing. */
export const set = (
  path: string,
  kinds: { readonly gained?: string; readonly lost?: string; readonly emptied?: string },
): Comparison => {
  const at = path.split('.')
  return (before, after) => {
    const [was, is] = [itemsOf(valueOf(before, at)), itemsOf(valueOf(after, at))]
    const gained = is.filter((item) => !was.some((other) => same(item, other)))
    const lost = was.filter((item) => !is.some((other) => same(item, other)))
    const isEmptied = is.length === 0 && kinds.emptied !== undefined
    return [
      ...(gained.length > 0 && kinds.gained !== undefined
        ? [{ code: kinds.gained, at, says: `gains ${listed(gained)}` }]
        : []),
      ...(lost.length > 0 && kinds.lost !== undefined
        ? [
            {
              code: isEmptied ? kinds.emptied : kinds.lost,
              at,
              says: `loses ${listed(lost)}${isEmptied ? ', and is empty' : ''}`,
            },
          ]
        : []),
    ]
  }
}

/** A number that is higher or lower; absent counts as `absent`. */
export const amountChange = (
  path: string,
  kinds: { readonly higher: ChangeCode; readonly lower: ChangeCode; readonly absent: number },
): Comparison =>
  memberChange(path, (before, after) => {
    const amount = (value: Json | undefined): number => Number(value ?? kinds.absent)
    const [was, is] = [amount(before), amount(after)]
    return is === was ? undefined : is > was ? kinds.higher : kinds.lower
  })

/** An ISO 8601 duration or a cadence; absent counts as `absent`, in ms. */
export const duration = (
  path: string,
  kinds: { readonly longer: ChangeCode; readonly shorter: ChangeCode; readonly absent: number },
): Comparison =>
  memberChange(path, (before, after) => {
    const ms = (value: Json | undefined): number =>
      value === undefined ? kinds.absent : (cadenceMs(String(value)) ?? 0)
    const [was, is] = [ms(before), ms(after)]
    return is === was ? undefined : is > was ? kinds.longer : kinds.shorter
  })

/** A flag that is on where it is not said, or off. */
export const flagChange = (
  path: string,
  kinds: { readonly on: ChangeCode; readonly off: ChangeCode; readonly absent: boolean },
): Comparison =>
  memberChange(path, (before, after) => {
    const [was, is] = [before ?? kinds.absent, after ?? kinds.absent]
    return was === is ? undefined : is === true ? kinds.on : kinds.off
  })

export const itemsOf = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? (value as readonly Json[]) : []

/** The items of a list by what they are known by; of two with one name, the second counts, too. */
export function namedItems(
  value: Json | undefined,
  name: (item: JsonObject) => string,
): ReadonlyMap<string, JsonObject> {
  const found = new Map<string, JsonObject>()
  for (const item of itemsOf(value).filter(isRecord)) {
    let known = name(item)
    for (let copy = 2; found.has(known); copy++) known = `${name(item)} ${copy}`
    found.set(known, item)
  }
  return found
}

/** The same differences, deeper in the document. */
export const within = (at: readonly string[], differences: readonly Difference[]): readonly Difference[] =>
  differences.map((each) => ({ ...each, at: [...at, ...each.at] }))

export const all =
  (comparisons: readonly Comparison[]): Comparison =>
  (before, after) =>
    comparisons.flatMap((compare) => compare(before, after))

const listed = (values: readonly Json[]): string => values.map(spelt).join(', ')

/** A word as it is, anything else as JSON. */
const spelt = (value: Json): string =>
  typeof value === 'string' && /^\S+$/u.test(value) ? value : JSON.stringify(value)

/** Compares two values, ignoring the order of members. */
export function same(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) || Array.isArray(other))
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, at) => same(item as Json, other[at] as Json))
    )
  const [mine, theirs] = [one as JsonObject, other as JsonObject]
  const names = definedIn(mine)
  return (
    names.length === definedIn(theirs).length &&
    names.every((name) => Object.hasOwn(theirs, name) && same(mine[name], theirs[name]))
  )
}

const definedIn = (value: JsonObject): readonly string[] =>
  Object.keys(value).filter((name) => value[name] !== undefined)
