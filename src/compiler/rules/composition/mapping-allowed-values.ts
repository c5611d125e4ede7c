import { keyOf, hasAllItems } from '../../shape/view.js'
import { shownValue, sameValue } from '../facts/values.js'
import { fedInputs } from '../facts/mappings.js'
import type { Rule } from '../rule.js'

export const mappingAllowedValues = {
  code: 'SVC4111',
  slug: 'mapping-allowed-values',
  severity: 'warning',
  source: 'D',
  section: '2.8',
  description: 'What a parent input allows, the child input that it feeds allows, too.',
  needs: 'composition',
  ofCapability(facts, report) {
    for (const { step, target, span, from, to } of fedInputs(facts)) {
      const allowed = to.allowed_values
      if (allowed === undefined || from.allowed_values === undefined || !hasAllItems(allowed)) continue
      const extra = from.allowed_values.find((value) => !allowed.some((each) => sameValue(each, value)))
      if (extra !== undefined)
        report(span, `The parent allows ${shownValue(extra)}, \`${target}\` of the step \`${step}\` does not.`, {
          related: [{ span: keyOf(to, 'allowed_values'), message: 'The child allows these.' }],
        })
    }
  },
} satisfies Rule
