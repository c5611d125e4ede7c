import { at, isAbsent } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const anchoredNeedsCadence = {
  code: 'SVC1102',
  slug: 'anchored-needs-cadence',
  severity: 'warning',
  source: 'D',
  section: '2.1,6',
  description: 'Anchored trust promises a cadence.',
  why: 'Without one, checkpoints have no promised interval.',
  ofManifest({ manifest: { trust } }, report) {
    if (trust?.level !== 'anchored') return
    const lacks = trust.anchoring === undefined ? isAbsent(trust, 'anchoring') : isAbsent(trust.anchoring, 'cadence')
    if (lacks)
      report(
        at(trust, 'level'),
        'Trust is anchored, but `anchoring.cadence` promises no interval; add `anchoring: { cadence: hourly }`.',
      )
  },
} satisfies Rule
