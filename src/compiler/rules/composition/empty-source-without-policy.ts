import { keyOf, isAbsent } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { EMPTY_SOURCE, has, says, some, someItem, when } from '../schema-part.js'

export const emptySourceWithoutPolicy = {
  code: 'SVC4205',
  slug: 'empty-source-without-policy',
  severity: 'error',
  source: 'A',
  section: '2.8',
  description: 'An empty-result source has an `empty_result_policy`.',
  schema: {
    composition: when(
      says({ steps: someItem(EMPTY_SOURCE) }),
      some(has('empty_result_policy'), has('empty_result_output')),
    ),
  },
  needs: 'composition',
  ofCapability({ capability: { composition } }, report) {
    if (
      composition === undefined ||
      !isAbsent(composition, 'empty_result_policy') ||
      composition.empty_result_output !== undefined
    )
      return
    const step = composition.steps?.find((each) => each.empty_result_source === true)
    if (step !== undefined)
      report(
        keyOf(step, 'empty_result_source'),
        `The step \`${step.id}\` is an empty-result source, but no \`empty_result_policy\` is set.`,
      )
  },
} satisfies Rule
