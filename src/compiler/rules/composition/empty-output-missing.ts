import { at, isAbsent } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { EMPTY_SOURCE, has, says, someItem, when } from '../schema-part.js'

export const emptyOutputMissing = {
  code: 'SVC4202',
  slug: 'empty-output-missing',
  severity: 'error',
  source: 'S',
  section: '2.8',
  description: '`return_success_no_results` with an empty-result source has `empty_result_output`.',
  schema: {
    composition: when(
      says({ empty_result_policy: 'return_success_no_results', steps: someItem(EMPTY_SOURCE) }),
      has('empty_result_output'),
    ),
  },
  needs: 'composition',
  ofCapability({ capability: { composition } }, report) {
    if (
      composition?.empty_result_policy !== 'return_success_no_results' ||
      !isAbsent(composition, 'empty_result_output')
    )
      return
    if (composition.steps?.some((step) => step.empty_result_source === true) !== true) return
    report(
      at(composition, 'empty_result_policy'),
      '`return_success_no_results` needs `empty_result_output`: what the parent returns then.',
    )
  },
} satisfies Rule
