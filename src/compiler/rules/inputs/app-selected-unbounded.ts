import { at, isAbsent } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const appSelectedUnbounded = {
  code: 'SVC2414',
  slug: 'app-selected-unbounded',
  severity: 'warning',
  source: 'S',
  section: '2.6',
  description: '`app_selected` has declared bounds: allowed values or a catalog.',
  needs: 'resolution',
  ofInput({ input }, report) {
    if (
      input.resolution?.mode !== 'app_selected' ||
      !isAbsent(input, 'allowed_values') ||
      !isAbsent(input, 'catalog_ref')
    )
      return
    report(
      at(input.resolution, 'mode'),
      '`app_selected` selects within declared bounds; add `allowed_values` or `catalog_ref`.',
    )
  },
} satisfies Rule
