import { at } from '../../shape/view.js'
import { durationMs } from '../../../protocol/durations.js'
import type { Rule } from '../rule.js'

export const retentionBelowRollback = {
  code: 'SVC2707',
  slug: 'retention-below-rollback',
  severity: 'warning',
  source: 'L',
  section: '2.4',
  description: 'Audit entries are kept as long as the change can be rolled back.',
  needs: 'observability',
  ofCapability({ capability: { observability, side_effect } }, report) {
    const retention = observability?.retention === undefined ? undefined : durationMs(observability.retention)
    const window = side_effect?.rollback_window === undefined ? undefined : durationMs(side_effect.rollback_window)
    if (retention === undefined || window === undefined || retention >= window) return
    report(
      at(observability!, 'retention'),
      `The retention ${observability!.retention} is shorter than the rollback window ${side_effect!.rollback_window}.`,
    )
  },
} satisfies Rule
