import { isText } from '../../../crypto/json/kinds.js'
import { meant, nearest, question } from '../../nearest.js'
import { hasAllItems, keyOf } from '../../shape/view.js'
import { fedByLiterals } from '../facts/fed-by-literals.js'
import { sameValue, shownValue } from '../facts/values.js'
import type { Rule } from '../rule.js'
import { OTHER_CAPABILITY } from '../why-not.js'

export const literalNotAllowed = {
  code: 'SVC2811',
  slug: 'literal-not-allowed',
  severity: 'error',
  source: 'A',
  section: '2.8',
  description: 'A literal is one of the allowed values of the child input that it feeds.',
  whyNot: OTHER_CAPABILITY,
  needs: 'composition',
  ofCapability(facts, report) {
    for (const { value, span, target, to } of fedByLiterals(facts)) {
      const allowed = to.allowed_values
      if (allowed === undefined || !hasAllItems(allowed) || allowed.some((each) => sameValue(each, value))) continue
      const near = isText(value) ? nearest(value, allowed.filter(isText)) : undefined
      report(
        span,
        `The literal ${shownValue(value)} is not among the values that \`${target}\` allows.${question(near)}`,
        {
          ...meant(near),
          related: [{ span: keyOf(to, 'allowed_values'), message: 'The child allows these.' }],
        },
      )
    }
  },
} satisfies Rule
