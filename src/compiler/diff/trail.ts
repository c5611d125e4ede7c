import type { JsonObject } from '../../protocol/manifest.js'
import { all, anyChange, duration, flagChange, itemsOf, set, valueOf, type Comparison } from './difference.js'

/** What is logged, and for how long (section 2.4). */
export const observability: Comparison = all([
  flagChange('observability.logged', { on: 'SVC9214', off: 'SVC9137', absent: true }),
  duration('observability.retention', { longer: 'SVC9134', shorter: 'SVC9133' }),
  set('observability.fields_logged', { gained: 'SVC9135', lost: 'SVC9136' }),
])

export const responseModes: Comparison = set('response_modes', { gained: 'SVC9132', lost: 'SVC9131' })

/** What a call brings about, and what it does not. */
export const businessEffects: Comparison = all([
  set('business_effects.produces', { gained: 'SVC9145', lost: 'SVC9212' }),
  set('business_effects.does_not_produce', { gained: 'SVC9213', lost: 'SVC9146' }),
])

/** Hints. One to refresh by something that changes state is more than a hint. */
export const hints =
  (hasEffect: (capability: string) => boolean): Comparison =>
  (before, after) => [
    ...anyChange('refresh_via', 'SVC9141')(before, after).map((each) =>
      itemsOf(after['refresh_via']).some((target) => hasEffect(String(target)))
        ? { ...each, instead: { effect: 'compatible' as const, bump: 'minor' as const } }
        : each,
    ),
    ...verification(before, after),
    ...anyChange('cross_service', 'SVC9144')(before, after),
  ]

const verification: Comparison = (before, after) => {
  const lost = targetsOf(before).length > 0 && targetsOf(after).length === 0 ? 'SVC9142' : 'SVC9211'
  return set('verify_via', { gained: 'SVC9143', lost })(before, after)
}

const targetsOf = (capability: JsonObject) => itemsOf(valueOf(capability, ['verify_via']))
