import type { Json, JsonObject } from '../../protocol/manifest.js'
import {
  breaking,
  compatible,
  differing,
  presence,
  valueOf,
  within,
  memberChange,
  type ChangeCode,
  type Comparison,
} from './difference.js'

/** Modes that take less from a caller, or infer less (section 2.6). */
const TIGHT = ['explicit_only', 'closed_values', 'actor_policy']

/** Compares how a value is determined; a new method may break callers, or let the service derive values. */
export const resolution =
  (name: string, inside: Comparison): Comparison =>
  (before, after) => {
    const [was, is] = [before[name], after[name]]
    if (was === undefined || is === undefined)
      return differing([name], was, is, presence({ added: introduced(after), removed: 'SVC9035' }))
    return within([name], inside(was as JsonObject, is as JsonObject))
  }

const introduced = (after: JsonObject): ChangeCode =>
  ['closed_values', 'explicit_only'].includes(String(valueOf(after, ['resolution', 'mode'])))
    ? breaking('SVC9034')
    : 'SVC9034'

/** From a tight mode to another one, what was possible may not be: that is tightening, too. */
export const resolutionMode: Comparison = memberChange('mode', (_, after) =>
  TIGHT.includes(String(after)) ? 'SVC9036' : 'SVC9037',
)

/** Policies by which a call without the value fails; with any other it continues. */
const FAILS = ['deny', 'clarify', 'deny_or_clarify', 'app_select_or_clarify']

/** Behaviours that choose no value. */
const CHOOSES_NOTHING = ['deny', 'clarify', 'deny_or_clarify']

const changedFailure = (after: Json | undefined): ChangeCode =>
  CHOOSES_NOTHING.includes(String(after)) ? compatible('SVC9040') : 'SVC9040'

export const onMissing: Comparison = memberChange('on_missing', (before, after) => {
  const [failed, fails] = [FAILS.includes(String(before)), FAILS.includes(String(after))]
  return fails && !failed ? 'SVC9038' : !fails && failed ? 'SVC9039' : changedFailure(after)
})

/** A value that matches several candidates, or none. */
export const onFailure = (name: string): Comparison => memberChange(name, (_, after) => changedFailure(after))
