import { isRecord } from '../../crypto/json/kinds.js'
import type { Json, JsonObject } from '../../protocol/manifest.js'
import { differing, memberChange, same, type Comparison, type Difference } from './difference.js'

/** Calls exclude each other by the values of all the named inputs: whoever names fewer of them excludes more calls. */
const excludesMore: (was: Json | undefined, is: Json | undefined) => boolean = (was, is) =>
  was === undefined || (Array.isArray(is) && Array.isArray(was) && is.every((name) => was.includes(name)))

export const exclusion: Comparison = memberChange('x-exclusive-by', (was, is) =>
  excludesMore(was, is) ? 'SVC9229' : 'SVC9228',
)

const membersOf = (value: Json | undefined): JsonObject => (isRecord(value) ? value : {})

/** Failures of the business, by type. */
export const failures: Comparison = (before, after) => {
  const [was, is] = [membersOf(before['x-failures']), membersOf(after['x-failures'])]
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
