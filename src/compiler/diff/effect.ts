import type { Json, JsonObject } from '../../protocol/manifest.js'
import { memberChange, presence, set, within, type Comparison } from './difference.js'

/** From the freest to the hardest to undo (section 2.4). */
const STRENGTH: { readonly [type: string]: number } = { read: 0, transactional: 1, write: 2, irreversible: 3 }

function typeKind(before: Json | undefined, after: Json | undefined): string {
  if (before === 'write' && after === 'transactional') return 'SVC9063'
  if (before === 'transactional' && after === 'write') return 'SVC9064'
  return (STRENGTH[String(after)] ?? 0) > (STRENGTH[String(before)] ?? 0) ? 'SVC9061' : 'SVC9062'
}

/** The side effect; of an effect that is no longer transactional, how it was undone says nothing more. */
export const sideEffect =
  (name: string, inside: Comparison): Comparison =>
  (before, after) => {
    const [was, is] = [before[name] as JsonObject, after[name] as JsonObject]
    const stays = [was, is].every(({ type }) => type === 'transactional')
    const undoing = stays ? inside(was, is) : inside(withoutUndoing(was), withoutUndoing(is))
    return [...memberChange(`${name}.type`, typeKind)(before, after), ...within([name], undoing)]
  }

const withoutUndoing = ({ rollback_window: _, compensation: __, ...effect }: JsonObject): JsonObject => effect

/** Compares the principals that may call at all (section 5.9). Without the field, every principal may. */
export const principals: Comparison = (before, after) => {
  const [was, is] = [before['requires_principal'], after['requires_principal']]
  if (was === undefined || is === undefined)
    return memberChange('requires_principal', presence({ added: 'SVC9205', removed: 'SVC9204' }))(before, after)
  return set('requires_principal', { gained: 'SVC9204', lost: 'SVC9205' })(before, after)
}
