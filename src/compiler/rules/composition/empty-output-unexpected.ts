import { keyOf, isAbsent } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { has, says, when } from '../schema-part.js'

export const emptyOutputUnexpected = {
  code: 'SVC4203',
  slug: 'empty-output-unexpected',
  severity: 'error',
  source: 'A',
  section: '2.8',
  description: '`empty_result_output` stands only with `return_success_no_results`.',
  schema: { composition: when(has('empty_result_output'), says({ empty_result_policy: 'return_success_no_results' })) },
  needs: 'composition',
  ofCapability({ capability: { composition } }, report) {
    if (
      composition?.empty_result_output === undefined ||
      composition.empty_result_policy === 'return_success_no_results'
    )
      return
    if (composition.empty_result_policy === undefined && !isAbsent(composition, 'empty_result_policy')) return
    const policy = composition.empty_result_policy
    report(
      keyOf(composition, 'empty_result_output'),
      policy === undefined
        ? '`empty_result_output` needs `empty_result_policy: return_success_no_results`.'
        : `\`empty_result_output\` is not allowed with the policy \`${policy}\`.`,
    )
  },
} satisfies Rule
