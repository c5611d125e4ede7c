import type { Json } from '../../protocol/manifest.js'
import { all, duration, memberChange, presence, set, valueOf, type Comparison } from './difference.js'

/** From the freest to the hardest to undo (section 2.4). */
const STRENGTH: { readonly [type: string]: number } = { read: 0, transactional: 1, write: 2, irreversible: 3 }

function typeKind(before: Json | undefined, after: Json | undefined): string {
  if (before === 'write' && after === 'transactional') return 'SVC9063'
  if (before === 'transactional' && after === 'write') return 'SVC9064'
  return (STRENGTH[String(after)] ?? 0) > (STRENGTH[String(before)] ?? 0) ? 'SVC9061' : 'SVC9062'
}

const undoing: Comparison = all([
  duration('side_effect.rollback_window', { longer: 'SVC9066', shorter: 'SVC9065', absent: 0 }),
  memberChange('side_effect.compensation', presence({ added: 'SVC9068', removed: 'SVC9067', changed: 'SVC9069' })),
])

/** The side effect; of an effect that is no longer transactional, how it was undone says nothing more. */
export const sideEffect: Comparison = (before, after) => {
  const stays = [before, after].every((each) => valueOf(each, ['side_effect', 'type']) === 'transactional')
  return [...memberChange('side_effect.type', typeKind)(before, after), ...(stays ? undoing(before, after) : [])]
}

/** All scopes are required: one more is harder to meet, one less easier (section 2.4). */
export const scopes: Comparison = set('minimum_scope', { gained: 'SVC9071', lost: 'SVC9072', emptied: 'SVC9073' })

/** Who may call at all (section 5.9). Without the field, anybody may. */
export const principals: Comparison = (before, after) => {
  const [was, is] = [before['requires_principal'], after['requires_principal']]
  if (was === undefined || is === undefined)
    return memberChange('requires_principal', presence({ added: 'SVC9205', removed: 'SVC9204' }))(before, after)
  return set('requires_principal', { gained: 'SVC9204', lost: 'SVC9205' })(before, after)
}
