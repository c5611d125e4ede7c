import { keyOf } from '../../shape/view.js'
import { literalsOf } from '../facts/literals.js'
import type { Rule } from '../rule.js'
import { TWO_VALUES } from '../why-not.js'

export const literalTwice = {
  code: 'SVC2809',
  slug: 'literal-twice',
  severity: 'error',
  source: 'A',
  section: '2.8',
  description: 'An input of a step has a path or a literal, not both.',
  whyNot: TWO_VALUES,
  needs: 'composition',
  ofCapability({ capability }, report) {
    const mapping = capability.composition?.input_mapping
    for (const { step, target, keySpan } of literalsOf(capability)) {
      const paths = mapping?.[step]
      if (paths?.[target] === undefined) continue
      report(keySpan, `\`${target}\` of the step \`${step}\` has a path, too. Remove one of the two.`, {
        related: [{ span: keyOf(paths, target), message: 'It is mapped here.' }],
      })
    }
  },
} satisfies Rule
