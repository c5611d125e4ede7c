import { at } from '../../shape/view.js'
import { fedByLiterals } from '../facts/fed-by-literals.js'
import { fitsType, shownValue } from '../facts/values.js'
import type { Rule } from '../rule.js'
import { OTHER_CAPABILITY } from '../why-not.js'

export const literalType = {
  code: 'SVC2810',
  slug: 'literal-type',
  severity: 'error',
  source: 'A',
  section: '2.8',
  description: 'A literal fits the type of the child input that it feeds.',
  why: 'The step would refuse it in each call.',
  whyNot: OTHER_CAPABILITY,
  needs: 'composition',
  ofCapability(facts, report) {
    for (const { value, span, target, to } of fedByLiterals(facts))
      if (to.type !== undefined && !fitsType(value, to.type))
        report(span, `The literal ${shownValue(value)} does not fit the type \`${to.type}\` of \`${target}\`.`, {
          related: [{ span: at(to, 'type'), message: 'The child input has its type here.' }],
        })
  },
} satisfies Rule
