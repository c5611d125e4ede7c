import { isRecord } from '../../crypto/json/kinds.js'
import type { Json, JsonObject } from '../../protocol/manifest.js'
import { differing, same, type Comparison, type Difference, type ChangeCode } from './difference.js'

type Judge = (before: Json | undefined, after: Json | undefined) => ChangeCode

/** Extensions that mean something to svc; the others mean something to somebody. */
const KNOWN: { readonly [name: string]: Judge } = {
  'x-title': () => 'SVC9226',
  // Each field that a shared schema is for tells what changed.
  'x-schemas': () => undefined,
  'x-exclusive-by': (was, is) => (excludesMore(was, is) ? 'SVC9229' : 'SVC9228'),
}

/** Calls exclude each other by the values of all the named inputs: whoever names fewer of them excludes more calls. */
const excludesMore: (was: Json | undefined, is: Json | undefined) => boolean = (was, is) =>
  was === undefined || (Array.isArray(is) && Array.isArray(was) && is.every((name) => was.includes(name)))

/** `x-…` keys. */
export const extensions: Comparison = (before, after) => {
  const [was, is] = [membersOf(before['extensions']), membersOf(after['extensions'])]
  const names = new Set([...Object.keys(was), ...Object.keys(is)])
  return [...names].flatMap((name) =>
    name === 'x-failures'
      ? failures(was[name], is[name])
      : differing([name], was[name], is[name], KNOWN[name] ?? other),
  )
}

const other: Judge = () => 'SVC9225'

const membersOf = (value: Json | undefined): JsonObject => (isRecord(value) ? value : {})

/** Failures of the business, by type. */
function failures(before: Json | undefined, after: Json | undefined): readonly Difference[] {
  const [was, is] = [membersOf(before), membersOf(after)]
  const types = new Set([...Object.keys(was), ...Object.keys(is)])
  return [...types].flatMap((type): readonly Difference[] => {
    if (same(was[type], is[type])) return []
    const at = ['x-failures', type]
    if (was[type] === undefined) return [{ code: 'SVC9222', at, says: 'is new' }]
    return is[type] === undefined
      ? [{ code: 'SVC9223', at, says: 'is gone' }]
      : differing(at, was[type], is[type], () => 'SVC9224')
  })
}
