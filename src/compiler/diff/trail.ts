import type { JsonObject } from '../../protocol/manifest.js'
import { compatible, itemsOf, memberChange, set, type Comparison } from './difference.js'

/** Hints. One to refresh by something that changes state is more than a hint. */
export const refreshVia =
  (hasEffect: (capability: string) => boolean): Comparison =>
  (before, after) =>
    memberChange('refresh_via', () =>
      itemsOf(after['refresh_via']).some((target) => hasEffect(String(target))) ? compatible('SVC9141') : 'SVC9141',
    )(before, after)

export const verifyVia: Comparison = (before, after) => {
  const lost = targetsOf(before).length > 0 && targetsOf(after).length === 0 ? 'SVC9142' : 'SVC9211'
  return set('verify_via', { gained: 'SVC9143', lost })(before, after)
}

const targetsOf = (capability: JsonObject) => itemsOf(capability['verify_via'])
