import { keyOf } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const emptySourceMany = {
  code: 'SVC4204',
  slug: 'empty-source-many',
  severity: 'error',
  source: 'A',
  section: '2.8',
  description: 'At most one step is an empty-result source.',
  whyNot: 'It counts items that fit, and `contains` of draft 7 only says that there is one.',
  needs: 'composition',
  ofCapability({ capability: { composition } }, report) {
    const [first, ...others] = [...(composition?.steps ?? [])].filter((step) => step.empty_result_source === true)
    for (const step of others)
      report(
        keyOf(step, 'empty_result_source'),
        `The steps \`${first!.id}\` and \`${step.id}\` are both empty-result sources; mark one.`,
        { related: [{ span: keyOf(first!, 'empty_result_source'), message: 'The first one is here.' }] },
      )
  },
} satisfies Rule
