import { narrowed, type ValueSchema } from '../../../protocol/value-schema.js'
import { fedByLiterals } from '../facts/fed-by-literals.js'
import { fitsSchema } from '../facts/schemas/fits-schema.js'
import { sharedValues } from '../facts/schemas/places.js'
import { troublesOf } from '../facts/schemas/troubles.js'
import { fitsType, shownValue } from '../facts/values.js'
import type { Rule } from '../rule.js'
import { OTHER_CAPABILITY } from '../why-not.js'

export const literalFitsSchema = {
  code: 'SVC2812',
  slug: 'literal-fits-schema',
  severity: 'error',
  source: 'A',
  section: '2.8',
  description: 'A literal fits the `x-schema` of the child input that it feeds.',
  whyNot: OTHER_CAPABILITY,
  needs: 'composition',
  ofCapability(facts, report) {
    for (const { value, span, target, to } of fedByLiterals(facts)) {
      const { type, 'x-schema': written } = to
      if (type === undefined || written === undefined || !fitsType(value, type)) continue
      if (facts.once(troublesOf).length > 0) return
      if (!fitsSchema(value, narrowed(written as unknown as ValueSchema, type), facts.once(sharedValues)))
        report(span, `The literal ${shownValue(value)} does not fit the \`x-schema\` of \`${target}\`.`)
    }
  },
} satisfies Rule
